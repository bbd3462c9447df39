import type { Version } from '../../../records/timeline-types.ts'
import { prepare, routes } from '../../client.ts'
import { Differences, listDifferences } from '../../components/diff.tsx'
import { Instant } from '../../components/format.tsx'
import { Card } from '../../components/layout.tsx'
import { useRead } from '../../components/use-calls.ts'
import { overview } from '../../shell/overview.ts'

/** The look of each change. */
export const looks = { created: 'tag good', changed: 'tag warn', deleted: 'tag bad' } as const

/** Lists what time and the session have changed in a record, the latest change first; nothing if it is unchanged. */
export function History({ collection, id }: { readonly collection: string; readonly id: string }) {
  const { value } = useRead(
    prepare('get', routes.data.history[':collection'][':id'], { param: { collection, id }, query: {} }),
    overview.value?.now,
  )
  if (!value || value.items.length === 0) return null
  return (
    <Card title="History">
      <ul class="history">
        {value.items.toReversed().map((version, at) => (
          <li key={`${version.at} ${version.bySession}`}>
            <ShownVersion version={version} isOpen={at === 0} />
          </li>
        ))}
      </ul>
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
  if (fields.length === 0) return <>{head}</>
  const collect = (side: 'before' | 'after') =>
    Object.fromEntries(fields.map((field) => [field.name, field[side]]))
  return (
    <details open={isOpen}>
      <summary>
        {head} <span class="hint">{fields.map(({ name }) => name).join(', ')}</span>
      </summary>
      <Differences differences={listDifferences(collect('before'), collect('after'))} />
    </details>
  )
}
