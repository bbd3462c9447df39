import { formatNumber } from './format.tsx'
import { useMore } from './ui.tsx'

/** Renders the paths at which two versions of a record differ, each with its old and new value; its date if nothing else. */
export function Difference({ before, after }: { before: object; after: object }) {
  const found = listDifferences(before, after)
  const others = found.filter(({ path }) => path !== 'updatedDate')
  const [shown, more] = useMore(others.length > 0 ? others : found, 6)
  return (
    <ul class="list mono">
      {shown.map(({ path, from, to }) => (
        <li key={path}>
          <span class="hint">{path || 'record'}</span> {from !== undefined && <del>{abridge(from)}</del>}
          {' → '}
          {to === undefined ? <span class="hint">gone</span> : <ins>{abridge(to)}</ins>}
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  )
}

const abridge = (value: unknown): string => {
  const text = Number.isInteger(value) ? formatNumber(Number(value)) : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)} … (${formatNumber(text.length)} characters)` : text
}

interface PathDifference {
  readonly path: string
  readonly from: unknown
  readonly to: unknown
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Lists the paths at which two values differ, as in `products[dataHub].metrics.rowsPerDay`. */
function listDifferences(from: unknown, to: unknown, path = ''): readonly PathDifference[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return []
  if (!isObject(from) || !isObject(to) || Array.isArray(from) !== Array.isArray(to))
    return [{ path, from, to }]
  const [before, after] = [indexParts(from), indexParts(to)]
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].flatMap((name) => {
    const inner = Array.isArray(to) ? `${path}[${name}]` : [path, name].filter(Boolean).join('.')
    return listDifferences(before.get(name), after.get(name), inner)
  })
}

/** Indexes the parts of a value by name; those of a list by what identifies them, or their place. */
const indexParts = (value: object): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(value).map(([name, part]) => {
      const { key, id } = Array.isArray(value) ? Object(part) : {}
      return [String(key ?? id ?? name), part] as const
    }),
  )
