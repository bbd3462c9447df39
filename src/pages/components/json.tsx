import { plural } from './format.tsx'

type Fields = Readonly<Record<string, unknown>> | null

export const Json = ({ value }: { value: unknown }) => <pre>{JSON.stringify(value, undefined, 2)}</pre>

/** Renders the fields in which two versions of a record differ; all, folded, if it was created or deleted. */
export function Difference({ before, after }: { before: Fields; after: Fields }) {
  if (!before || !after) {
    const record = after ?? before ?? {}
    return (
      <details>
        <summary class="hint">{plural(Object.keys(record).length, 'field')}</summary>
        <Json value={record} />
      </details>
    )
  }
  const names = Object.keys({ ...before, ...after })
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return changed.map((name) => (
    <div key={name} class="mono">
      <span class="hint">{name}: </span>
      {before[name] !== undefined && <del>{JSON.stringify(before[name])}</del>}{' '}
      {after[name] !== undefined && <ins>{JSON.stringify(after[name])}</ins>}
    </div>
  ))
}
