import { computed, signal } from '@preact/signals'

export const viewNames = ['start', 'traffic', 'sync', 'data', 'control'] as const
export type ViewName = (typeof viewNames)[number]

/** The parameters that every link keeps: the member whose eyes the page uses, and the scope. */
const KEPT = ['member', 'scope']

const address = signal(location.href)

let origin: string | undefined

const isRequest = (hash: string): boolean => /^#\/traffic\/\d/.test(hash)

/** Whether the current location was reached by Back or Forward: an entry of the history that is new has no state. */
let isReturn = false
export const hasReturned = (): boolean => isReturn

const update = (): void => {
  if (location.href === address.peek()) return
  const { hash } = new URL(address.peek())
  if (isRequest(location.hash) && !isRequest(hash)) origin = hash
  isReturn = Boolean(history.state)
  history.replaceState({}, '')
  address.value = location.href
}
history.replaceState({}, '')
addEventListener('popstate', update)
addEventListener('hashchange', update)

export const session = computed(() => new URL(address.value).searchParams.get('session') || undefined)

/** The place that the URL names, as `#/data/customers/12?member=2`; its path are the segments after the view. */
export const place = computed(() => {
  const { hash } = new URL(address.value)
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [name, ...rest] = path.split('/').filter(Boolean).map(decode)
  const view: ViewName = viewNames.find((known) => known === name) ?? 'start'
  return { view, path: rest, query: new URLSearchParams(query) }
})

export const param = (name: string): string => place.value.query.get(name) ?? ''

/**
 * Builds the URL fragment of a location, for a link. It keeps the member and the scope of the current location, unless
 * the query has others; an empty value removes one.
 */
export function linkTo(
  view: ViewName,
  path: readonly string[] = [],
  query: URLSearchParams | Readonly<Record<string, string>> = {},
): string {
  const changed = new URLSearchParams(query)
  for (const name of KEPT) if (!changed.has(name)) changed.set(name, param(name))
  return toHash(view, path, changed)
}

function toHash(view: ViewName, path: readonly string[], query: URLSearchParams): string {
  const search = new URLSearchParams(Array.from(query).filter(([, value]) => value !== '')).toString()
  return `#/${[view, ...path].map(encodeURIComponent).join('/')}${search && `?${search}`}`
}

/** Navigates to a URL; `replace` adds no entry to the history. */
export function show(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(undefined, '', to)
  else history.replaceState(undefined, '', to)
  update()
}

/** Closes a request: returns to the view from which it was opened, or to the list of requests. */
export function leaveRequest(list: string): void {
  show(origin === undefined || origin.startsWith('#/traffic') ? list : origin || '#/start')
}

export function switchSession(id: string | undefined): void {
  const search = id === undefined ? '' : `?${new URLSearchParams({ session: id })}`
  show(`${location.pathname}${search}${location.hash}`)
}

/** Decodes a part of a URL; returns invalid text unchanged. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Changes query parameters of the current location, without a history entry; the empty string removes one. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const { view, path, query } = place.peek()
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) changed.set(name, value)
  show(toHash(view, path, changed), 'replace')
}
