/** Names and their values, each on a line. */
export function Pairs({ pairs }: { readonly pairs: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="request-pairs">
      {pairs.map(([name, value], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a name may be there several times
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface FoldedProps {
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** What one of them is called. */
  readonly noun: string
}

/** The same, folded at first; nothing where there are none. */
export function FoldedPairs({ pairs, noun }: FoldedProps) {
  if (pairs.length === 0) return null
  return (
    <details>
      <summary>
        {pairs.length} {noun}
        {pairs.length > 1 && 's'}
      </summary>
      <Pairs pairs={pairs} />
    </details>
  )
}
