type Fields = Readonly<Record<string, unknown>> | null

export const Json = ({ value }: { value: unknown }) => <pre>{JSON.stringify(value, undefined, 2)}</pre>

/** Renders the fields in which two versions of a record differ; the whole record, folded, if it came or went. */
export function Difference({ before, after }: { before: Fields; after: Fields }) {
  if (!before || !after) {
    return (
      <details>
        <summary class="hint">{JSON.stringify(after ?? before).slice(0, 100)}</summary>
        <Json value={after ?? before} />
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
