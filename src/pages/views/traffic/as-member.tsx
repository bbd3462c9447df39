import type { Preview } from '../../../lab/explain/schemas.ts'
import { useRead } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { type CastMember, useCast } from '../../components/cast.tsx'
import { Field } from '../../components/form.tsx'
import { plural, StatusTag } from '../../components/format.tsx'
import { toText } from '../../components/schema.ts'
import { Loaded } from '../../components/ui.tsx'
import { linkTo, param, setQuery } from '../../place.ts'
import { type ListOperation, type AnyRecord, getLabel, isRecord } from '../data/collections.ts'

/** The most records to compare, and to show. */
const [MOST, SHOWN] = [250, 20]

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
  // The whole list, so that pages do not matter.
  const url = new URL(target, location.origin)
  if (operation?.parameters.some(({ name }) => name === 'limit')) {
    url.searchParams.delete('offset')
    url.searchParams.set('limit', `${MOST}`)
  }
  const path = url.pathname + url.search
  const [own, theirs] = [usePreview(path, caller), usePreview(path, other)]
  const options = Object.fromEntries(others.map(({ id, name, role }) => [id, `${name} · ${role}`]))
  const [before, after] = [listRecords(own.value), listRecords(theirs.value)]
  const sides = [
    { label: `only ${caller?.name}`, records: subtract(before, after), blind: other },
    { label: 'both', records: [], count: before.length - subtract(before, after).length, blind: undefined },
    { label: `only ${other?.name}`, records: subtract(after, before), blind: caller },
  ]
  return (
    <section aria-label="As another member" aria-live="polite">
      <Field label="Member" value={`${other?.id}`} set={(as) => setQuery({ as })} options={options} />
      <Loaded state={theirs}>
        {({ status, body }) => (
          <p>
            <StatusTag status={status} /> for {other?.name} now{' '}
            {status >= 400 && isRecord(body) && toText(body['detail'])}
          </p>
        )}
      </Loaded>
      {operation && own.value && theirs.value && (
        <>
          {Math.max(before.length, after.length) >= MOST && (
            <p class="hint">Only the first {MOST} records of each are compared.</p>
          )}
          {sides.every(({ records }) => records.length === 0) && (
            <p class="hint">
              Both get the same records.
              {operation.parameters.some(({ name }) => name === 'scope') &&
                ' With the scope mine or team, they may not.'}
            </p>
          )}
          <p class="strip">
            {sides.map(({ label, records, count = records.length }) => (
              <span key={label} style={{ flexGrow: count }}>
                {label} {count}
              </span>
            ))}
          </p>
          {sides
            .filter(({ records }) => records.length > 0)
            .map(({ label, records, blind }) => (
              <section key={label}>
                <h2>
                  {plural(records.length, 'record')} for {label}
                </h2>
                <Reasons {...{ records, operation, path }} most={SHOWN} token={blind?.token ?? ''} />
              </section>
            ))}
        </>
      )}
    </section>
  )
}

const usePreview = (path: string, member: CastMember | undefined) =>
  useRead(member && prepare('post', routes.preview, { json: { path, token: member.token } }))

function listRecords({ status, body }: Partial<Preview> = {}): readonly AnyRecord[] {
  const items: unknown = isRecord(body) ? (body['items'] ?? [body]) : body
  return status === 200 && Array.isArray(items) ? items.filter(isRecord) : []
}

function subtract(some: readonly AnyRecord[], others: readonly AnyRecord[]): readonly AnyRecord[] {
  const ids = new Set(others.map(({ id }) => id))
  return some.filter(({ id }) => !ids.has(id))
}

interface RequestProps {
  readonly operation: ListOperation
  readonly path: string
  readonly token: string
}

interface ReasonsProps extends RequestProps {
  readonly records: readonly AnyRecord[]
  /** The number of records to show. */
  readonly most: number
}

/** Says of records why the response to a member has them, or does not. */
export function Reasons({ records, most, ...request }: ReasonsProps) {
  return (
    <ul class="list">
      {records.slice(0, most).map((record) => (
        <Reason key={String(record['id'])} {...request} record={record} />
      ))}
      {records.length > most && <li class="hint">and {records.length - most} more</li>}
    </ul>
  )
}

function Reason({ operation, path, token, record }: RequestProps & { readonly record: AnyRecord }) {
  const id = String(record['id'])
  const reason = useRead(prepare('post', routes.explain, { json: { path, token, id: Number(id) } })).value
  return (
    <li>
      <a href={linkTo('data', [operation.collection, id])}>{getLabel(record)}</a>{' '}
      <span class="hint">{reason?.summary}</span>
    </li>
  )
}
