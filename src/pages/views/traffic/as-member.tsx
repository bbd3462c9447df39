import type { Preview } from '../../../lab/explain/schemas.ts'
import { useRead } from '../../calls.ts'
import { prepare, preparePreview, routes } from '../../client.ts'
import { ParamField } from '../../components/form.tsx'
import { plural, StatusTag } from '../../components/format.tsx'
import { toText } from '../../components/schema.ts'
import { type CastMember, useCast } from '../../components/service.tsx'
import { Loaded, useMore } from '../../components/ui.tsx'
import { linkTo, param } from '../../place.ts'
import { type AnyRecord, type ListOperation, getLabel, isRecord, listRecords } from '../data/collections.ts'

const MOST = 250

interface AsMemberProps {
  readonly target: string
  readonly callerId: number | undefined
  /** The list that the request reads; undefined if it reads none. */
  readonly operation: ListOperation | undefined
}

export function AsMember({ target, callerId, operation }: AsMemberProps) {
  const { members } = useCast()
  const caller = members.find(({ id }) => id === callerId)
  const others = members.filter((one) => one !== caller)
  const other = others.find(({ id }) => `${id}` === param('as')) ?? others[0]
  // The whole list, so that pages do not matter.
  const url = new URL(target, location.origin)
  if (operation?.isPaged) {
    url.searchParams.delete('offset')
    url.searchParams.set('limit', `${MOST}`)
  }
  const path = url.pathname + url.search
  const [own, theirs] = [usePreview(path, caller), usePreview(path, other)]
  const options = Object.fromEntries(others.map(({ id, name, role }) => [id, `${name} · ${role}`]))
  const [before, after] = [listSeen(own.value), listSeen(theirs.value)]
  const [lost, gained] = [subtract(before, after), subtract(after, before)]
  const sides = [
    { label: `only ${caller?.name}`, records: lost, blind: other },
    { label: 'both', records: [], count: before.length - lost.length },
    { label: `only ${other?.name}`, records: gained, blind: caller },
  ]
  return (
    <section aria-label="As another member" aria-live="polite">
      <ParamField name="as" label="Member" value={`${other?.id}`} options={options} />
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
          {lost.length + gained.length === 0 && (
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
          {sides.map(
            ({ label, records, blind }) =>
              records.length > 0 && (
                <section key={label}>
                  <h2>
                    {plural(records.length, 'record')} for {label}
                  </h2>
                  <Reasons {...{ records, operation, path }} first={20} token={blind?.token ?? ''} />
                </section>
              ),
          )}
        </>
      )}
    </section>
  )
}

const usePreview = (path: string, member: CastMember | undefined) =>
  useRead(member && preparePreview(path, member.token))

const listSeen = ({ status, body }: Partial<Preview> = {}): readonly AnyRecord[] =>
  status === 200 ? (listRecords(body) ?? [body].filter(isRecord)) : []

function subtract(some: readonly AnyRecord[], others: readonly AnyRecord[]): readonly AnyRecord[] {
  const ids = new Set(others.map(({ id }) => id))
  return some.filter(({ id }) => !ids.has(id))
}

interface ReasonProps {
  readonly operation: ListOperation
  readonly path: string
  readonly token: string
}

export function Reasons(props: ReasonProps & { records: readonly AnyRecord[]; first: number }) {
  const { records, first, ...request } = props
  const [shown, more] = useMore(records, first, first)
  return (
    <ul class="list">
      {shown.map((record) => (
        <Reason key={String(record['id'])} {...request} record={record} />
      ))}
      {more && <li>{more}</li>}
    </ul>
  )
}

function Reason({ operation, path, token, record }: ReasonProps & { readonly record: AnyRecord }) {
  const id = String(record['id'])
  const reason = useRead(prepare('post', routes.explain, { json: { path, token, id: Number(id) } })).value
  return (
    <li>
      <a href={linkTo('data', [operation.collection, id])}>{getLabel(record)}</a>{' '}
      <span class="hint">{reason?.summary}</span>
    </li>
  )
}
