import type { Version } from '../../../records/timeline-types.ts'
import { prepare, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { Instant } from '../../components/format.tsx'
import { useRead } from '../../components/use-calls.ts'
import { overview } from '../../shell/overview.ts'

/** The look of each change. */
export const looks = { created: 'tag good', changed: 'tag warn', deleted: 'tag bad' } as const

/** The longest value to show. Units: characters. */
const MAX_VALUE = 200

/** Lists what time and the session have changed in a record, the latest change first; nothing if it is unchanged. */
export function History({ collection, id }: { readonly collection: string; readonly id: string }) {
  const { value } = useRead(
    prepare('get', routes.data[':collection'][':id'].history, { param: { collection, id }, query: {} }),
    overview.value?.now,
  )
  if (!value || value.items.length === 0) return null
  return (
    <Card title="History">
      <ol class="history" reversed>
        {value.items.toReversed().map((version, at) => (
          <li key={`${version.at} ${version.bySession}`}>
            <ShownVersion version={version} isOpen={at === 0} />
          </li>
        ))}
      </ol>
      {value.totalCount > value.items.length && (
        <p class="hint">{value.totalCount - value.items.length} earlier changes are not shown.</p>
      )}
    </Card>
  )
}

function ShownVersion({ version, isOpen }: { readonly version: Version; readonly isOpen: boolean }) {
  const { at, change, bySession, fields } = version
  const head = (
    <>
      <span class={looks[change]}>{change}</span> {at !== undefined && <Instant at={at} part="minute" />}{' '}
      {bySession && <span class="hint">by this session</span>}
    </>
  )
  if (fields.length === 0) return <p>{head}</p>
  return (
    <details open={isOpen}>
      <summary>
        {head} <span class="hint">{fields.map(({ name }) => name).join(', ')}</span>
      </summary>
      <table class="data-diff">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <del>{formatValue(before)}</del>
              </td>
              <td>
                <ins>{formatValue(after)}</ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}
