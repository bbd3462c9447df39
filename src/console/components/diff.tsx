import type { ComponentChildren } from 'preact'

/** A place in which two JSON values differ, with the JSON of both; undefined if one does not have it. */
export interface Difference {
  /** As in `items[0].name`. */
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const [MAX_LINES, MAX_ENTRIES, MAX_TEXT] = [200, 2, 80]

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const areAlike = (a: unknown, b: unknown): boolean =>
  isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b)

const getPart = (value: unknown, name: string): unknown =>
  isObject(value) ? Reflect.get(value, name) : undefined

/** Lists the places in which two JSON values differ. Order: as in the second, then those that only the first has. */
export function listDifferences(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (!isObject(before) || !isObject(after)) {
    const difference = { path: path || 'all', before: JSON.stringify(before), after: JSON.stringify(after) }
    return difference.before === difference.after ? [] : [difference]
  }
  const names = new Set([after, before].flatMap(Object.keys))
  return [...names].flatMap((name) => {
    const isEntry = Array.isArray(name in after ? after : before)
    const inner = isEntry ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    return listDifferences(getPart(before, name), getPart(after, name), inner)
  })
}

export function Differences({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const differences = listDifferences(before, after)
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
        {differences.slice(0, MAX_LINES).map(({ path, before: old, after: now }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
            </th>
            <td>{old === undefined ? '–' : <del>{old}</del>}</td>
            <td>{now === undefined ? '–' : <ins>{now}</ins>}</td>
          </tr>
        ))}
      </tbody>
      {differences.length > MAX_LINES && <caption>and {differences.length - MAX_LINES} more</caption>}
    </table>
  )
}

/** Renders JSON with the values marked that differ from another value; long lists are cut. */
export function MarkedJson({ value, other }: { readonly value: unknown; readonly other: unknown }) {
  const lines = formatLines(value, other, '', '')
  return (
    <pre class="marked">
      {lines.slice(0, MAX_LINES)}
      {lines.length > MAX_LINES && '…'}
    </pre>
  )
}

function formatLines(value: unknown, other: unknown, indent: string, label: string): ComponentChildren[] {
  const format = (text: string, isSame: boolean): ComponentChildren => {
    const line = `${indent}${label}${text}\n`
    return isSame ? line : <mark key={line}>{line}</mark>
  }
  if (!isObject(value)) {
    const text = JSON.stringify(value) ?? ''
    return [format(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text, value === other)]
  }
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  const shown = isList ? entries.slice(0, MAX_ENTRIES) : entries
  return [
    format(isList ? '[' : '{', areAlike(value, other)),
    ...shown.flatMap(([name, part]) =>
      formatLines(part, getPart(other, name), `${indent}  `, isList ? '' : `"${name}": `),
    ),
    shown.length < entries.length && `${indent}  … ${entries.length - shown.length} more\n`,
    `${indent}${isList ? ']' : '}'}\n`,
  ]
}
