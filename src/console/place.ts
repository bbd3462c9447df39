import { computed, signal } from '@preact/signals'

/** The views of the console. Order: as the navigation lists them. */
export const viewNames = ['start', 'requests', 'data', 'steer', 'pictures'] as const
export type ViewName = (typeof viewNames)[number]

/** What the address shows: a view, what of it, and how. */
export interface Place {
  readonly view: ViewName
  /** What follows the view's name, as in `customers`, `12`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

const address = signal(location.href)
const update = (): void => {
  address.value = location.href
}
addEventListener('popstate', update)
addEventListener('hashchange', update)

/** The session of the page's address; undefined for the default one. */
export const session = computed(() => new URL(address.value).searchParams.get('session') ?? undefined)

/** What is shown, as in `#/data/customers/12?scope=mine`. */
export const place = computed<Place>(() => {
  const { hash } = new URL(address.value)
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [name, ...rest] = path.split('/').filter(Boolean).map(decoded)
  const view = viewNames.find((known) => known === name) ?? 'start'
  return { view, path: rest, query: new URLSearchParams(query) }
})

/** The address of something to show, for a link. */
export function addressOf(view: ViewName, path: readonly string[] = [], query?: URLSearchParams): string {
  const parts = [view, ...path].map(encodeURIComponent).join('/')
  const search = query?.toString() ?? ''
  return `#/${parts}${search && `?${search}`}`
}

/** Shows something else; `replace` leaves no way back to what was shown. */
export function show(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(undefined, '', to)
  else history.replaceState(undefined, '', to)
  update()
}

/** Turns to another session; undefined for the default one. */
export function turnTo(id: string | undefined): void {
  const search = id === undefined ? '' : `?${new URLSearchParams({ session: id })}`
  show(`${location.pathname}${search}${location.hash}`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
