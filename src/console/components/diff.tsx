/** A place in which two JSON values differ; undefined if one does not have it. */
export interface Difference {
  /** As in `items[0].name`. */
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Lists the places in which two JSON values differ. Order: as in the second, then those that only the first has. */
export function listDifferences(before: unknown, after: unknown): readonly Difference[] {
  const [old, now] = [flatten(before), flatten(after)]
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((path) => {
    const difference = { path, before: old.get(path), after: now.get(path) }
    return difference.before === difference.after ? [] : [difference]
  })
}

/** Collects the text of each value by its path; `{` and `[` for objects and lists. */
function flatten(value: unknown, path = '', found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null) return found.set(path, JSON.stringify(value) ?? '')
  found.set(path, Array.isArray(value) ? '[' : '{')
  for (const [key, part] of listEntries(value, path)) flatten(part.value, key, found)
  return found
}

interface Part {
  /** The key of an object; undefined for an entry of a list. */
  readonly name: string | undefined
  readonly value: unknown
}

function listEntries(value: object, path: string): readonly (readonly [path: string, part: Part])[] {
  if (Array.isArray(value)) {
    return value.map((part: unknown, at) => [`${path}[${at}]`, { name: undefined, value: part }] as const)
  }
  return Object.entries(value).map(
    ([name, part]) => [path === '' ? name : `${path}.${name}`, { name, value: part }] as const,
  )
}

/** Renders the differences of two values as a table. */
export function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  const shown = differences.filter(({ before, after }) => !isFrame(before ?? after))
  return (
    <table class="differences">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {shown.slice(0, MAX_LINES).map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path || 'all'}</code>
            </th>
            <td>{before === undefined ? '–' : <del>{before}</del>}</td>
            <td>{after === undefined ? '–' : <ins>{after}</ins>}</td>
          </tr>
        ))}
      </tbody>
      {shown.length > MAX_LINES && <caption>and {shown.length - MAX_LINES} more</caption>}
    </table>
  )
}

const isFrame = (text: string | undefined): boolean => text === '{' || text === '['

/** The number of entries of a list to show, and of lines. */
const [MAX_ENTRIES, MAX_LINES] = [2, 200]

/** The length at which texts are cut. */
const MAX_TEXT = 80

interface Line {
  readonly path: string
  readonly depth: number
  readonly text: string
  /** The text to compare; undefined for a line that only closes or counts. */
  readonly compared: string | undefined
}

/** Renders JSON with the values marked that differ from another value; long lists are cut. */
export function MarkedJson({ value, other }: { readonly value: unknown; readonly other: unknown }) {
  const known = flatten(other)
  const lines = formatLines(value, '', 0, undefined)
  return (
    <pre class="marked">
      {lines.slice(0, MAX_LINES).map(({ path, depth, text, compared }) => {
        const line = `${'  '.repeat(depth)}${text}\n`
        const isSame = compared === undefined || known.get(path) === compared
        return isSame ? line : <mark key={path}>{line}</mark>
      })}
      {lines.length > MAX_LINES && '…'}
    </pre>
  )
}

function formatLines(value: unknown, path: string, depth: number, name: string | undefined): readonly Line[] {
  const label = name === undefined ? '' : `"${name}": `
  if (typeof value !== 'object' || value === null) {
    const compared = JSON.stringify(value) ?? ''
    const cut = compared.length > MAX_TEXT ? `${compared.slice(0, MAX_TEXT)}…` : compared
    return [{ path, depth, text: label + cut, compared }]
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const entries = listEntries(value, path)
  const shown = Array.isArray(value) ? entries.slice(0, MAX_ENTRIES) : entries
  const more = entries.length - shown.length
  const end = { path, depth, compared: undefined }
  return [
    { path, depth, text: label + open, compared: open },
    ...shown.flatMap(([key, part]) => formatLines(part.value, key, depth + 1, part.name)),
    ...(more > 0 ? [{ ...end, depth: depth + 1, text: `… ${more} more` }] : []),
    { ...end, text: close },
  ]
}
