import { addressOf, place, show } from '../place.ts'

/** Changes parameters of what is shown, without a way back; undefined and the empty text take one away. */
export function showWith(changes: Readonly<Record<string, string | readonly string[] | undefined>>): void {
  const { view, path, query } = place.peek()
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    changed.delete(name)
    for (const one of [value ?? []].flat()) if (one !== '') changed.append(name, one)
  }
  show(addressOf(view, path, changed), 'replace')
}
