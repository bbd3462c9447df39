import { startSearch } from './search.ts'

/** The id of the session in the page's address; null for the default one. */
const session = new URLSearchParams(location.search).get('session')

function withSession(href: string): string {
  const url = new URL(href, location.href)
  if (session !== null) url.searchParams.set('session', session)
  return `${url.pathname}${url.search}${url.hash}`
}

export function collapse(selector: string, narrow: string): void {
  const list = document.querySelector(selector)
  if (!(list instanceof HTMLDetailsElement)) return
  const query = matchMedia(narrow)
  const update = (): void => {
    list.open = !query.matches
  }
  query.addEventListener('change', update)
  update()
}

export function startSite(): void {
  if (session !== null) {
    for (const link of document.querySelectorAll<HTMLAnchorElement>(
      'a[href^="/docs"], a[href^="/_sandbox"]',
    )) {
      link.href = withSession(link.href)
    }
  }
  collapse('.pages details', '(width < 60rem)')
  startSearch(withSession)
}
