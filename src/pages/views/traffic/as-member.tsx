import type { Preview } from '../../../lab/explain/schemas.ts'
import { prepare, routes } from '../../client.ts'
import { type CastMember, useCast } from '../../components/cast.tsx'
import { Select } from '../../components/form.tsx'
import { plural } from '../../components/format.tsx'
import { toText } from '../../components/schema.ts'
import { StatusTag } from '../../components/status.tsx'
import { Loaded } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, param, setQuery } from '../../place.ts'
import type { ListOperation } from '../data/contract.ts'
import { type AnyRecord, getLabel, isRecord } from '../data/labels.ts'

const MOST = 250

interface AsMemberProps {
  /** Path and query, from `/v1` on. */
  readonly target: string
  readonly callerId: number | undefined
  /** The list that the request reads; undefined if it reads none. */
  readonly operation: ListOperation | undefined
}

/** Renders what another member would get: which records would be added, and which would be missing. */
export function AsMember({ target, callerId, operation }: AsMemberProps) {
  const { members } = useCast()
  const caller = members.find(({ id }) => id === callerId)
  const others = members.filter((one) => one !== caller)
  const other = others.find(({ id }) => `${id}` === param('as')) ?? others[0]
  const whole = operation?.parameters.some(({ name }) => name === 'limit') ? toWhole(target) : target
  const [own, theirs] = [useAnswer(whole, caller), useAnswer(whole, other)]
  if (!other) return null
  const options = Object.fromEntries(others.map(({ id, name, role }) => [id, `${name} · ${role}`]))
  return (
    <section aria-label="As another member" aria-live="polite">
      <Select label="Member" value={`${other.id}`} set={(as) => setQuery({ as })} options={options} />
      <Loaded state={theirs}>
        {(answer) => (
          <>
            <p class="row">
              <StatusTag status={answer.status} /> for {other.name} now
            </p>
            {operation && own.value && (
              <Difference collection={operation.collection} own={own.value} theirs={answer} />
            )}
            {answer.status >= 400 && isRecord(answer.body) && <p>{toText(answer.body['detail'])}</p>}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** Asks for the whole list, so that pages do not matter. */
function toWhole(target: string): string {
  const { pathname, searchParams } = new URL(target, location.origin)
  searchParams.delete('offset')
  searchParams.set('limit', `${MOST}`)
  return `${pathname}?${searchParams}`
}

function useAnswer(path: string, member: CastMember | undefined) {
  return useRead(member && prepare('post', routes.preview, { json: { path, token: member.token } }))
}

function listRecords({ body }: Preview): readonly AnyRecord[] {
  const items: unknown = isRecord(body) ? (body['items'] ?? [body]) : body
  return Array.isArray(items) ? items.filter(isRecord) : []
}

interface DifferenceProps {
  readonly collection: string
  readonly own: Preview
  readonly theirs: Preview
}

function subtract(some: readonly AnyRecord[] = [], others: readonly AnyRecord[] = []) {
  const ids = new Set(others.map(({ id }) => id))
  return some.filter(({ id }) => !ids.has(id))
}

function Difference({ collection, own, theirs }: DifferenceProps) {
  const [before, after] = [own, theirs].map((one) => (one.status < 300 ? listRecords(one) : []))
  const isCut = [before, after].some((some) => (some?.length ?? 0) >= MOST)
  return (
    <>
      {isCut && <p class="hint">Only the first {MOST} records of each are compared.</p>}
      <Records title="would be added" collection={collection} records={subtract(after, before)} />
      <Records title="would be missing" collection={collection} records={subtract(before, after)} />
    </>
  )
}

const SHOWN = 20

interface RecordsProps {
  readonly title: string
  readonly collection: string
  readonly records: readonly AnyRecord[]
}

function Records({ title, collection, records }: RecordsProps) {
  return (
    <>
      <h3>
        {plural(records.length, 'record')} {title}
      </h3>
      <ul class="list">
        {records.slice(0, SHOWN).map((record) => (
          <li key={String(record['id'])}>
            <a href={linkTo('data', [collection, String(record['id'])])}>{getLabel(record)}</a>
          </li>
        ))}
        {records.length > SHOWN && <li class="hint">and {records.length - SHOWN} more</li>}
      </ul>
    </>
  )
}
