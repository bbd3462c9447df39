import { pageGroups, pageNames } from '../pages.ts'
import { escape, type Heading, type Page } from './markdown.ts'
import type { Reference } from './operations.ts'

const REFERENCE = '/docs'
const CONTROL = '/docs/control'

const findPlace = ({ name }: Page): number =>
  pageNames.includes(name) ? pageNames.indexOf(name) : pageNames.length

export function sortPages(pages: readonly Page[]): Page[] {
  return pages.toSorted((a, b) => findPlace(a) - findPlace(b) || (a.name < b.name ? -1 : 1))
}

export function renderHeader(pages: readonly Page[], current: string | undefined): string {
  const [first] = pages
  const isReference = current === REFERENCE || current === CONTROL
  const links = [
    { href: '/_sandbox', text: 'Console', isCurrent: false },
    ...(first ? [{ href: `/docs/${first.name}`, text: 'Docs', isCurrent: !isReference }] : []),
    { href: REFERENCE, text: 'API reference', isCurrent: isReference },
  ]
  return `<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<p class="brand"><a href="/_sandbox">workspace-sandbox</a></p>
<nav aria-label="Site">${renderLinks(links, 'true')}</nav>
<search class="search" hidden>
<label class="unseen" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list"><kbd aria-hidden="true">/</kbd>
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
<p id="search-status" role="status"></p>
</search>
</header>`
}

/** Renders the navigation; below the reference that is shown, with its operations. */
export function renderSidebar(
  pages: readonly Page[],
  current: string | undefined,
  reference?: Reference,
): string {
  const groups = [
    ...pageGroups.map(({ title, names }) => ({
      title,
      found: pages.filter(({ name }) => names.includes(name)),
    })),
    { title: 'More', found: pages.filter(({ name }) => !pageNames.includes(name)) },
  ]
  const lists = groups
    .filter(({ found }) => found.length > 0)
    .map(({ title, found }) =>
      renderGroup(
        title,
        found.map(({ name, title: text }) => ({ href: `/docs/${name}`, text, isCurrent: name === current })),
      ),
    )
  const operations = Object.values(reference?.document.paths ?? {})
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => ({ href: `#${operationId}`, text: operationId, isCurrent: false }))
  const links = [
    { href: REFERENCE, text: 'Service', isCurrent: current === REFERENCE },
    { href: CONTROL, text: 'Control plane', isCurrent: current === CONTROL },
  ]
  const shown = renderGroup('API reference', links)
  const listed = reference ? renderGroup('Operations', operations) : ''
  const summary = '<summary>All pages</summary>'
  return `<nav class="pages nav" aria-label="Pages"><details>${summary}<div>${listed}${shown}${lists.join('')}</div></details></nav>`
}

interface PageLink {
  readonly href: string
  readonly text: string
  readonly isCurrent: boolean
}

const renderGroup = (title: string, links: readonly PageLink[]): string =>
  `<p>${escape(title)}</p>${renderLinks(links, 'page')}`

function renderLinks(links: readonly PageLink[], current: 'page' | 'true'): string {
  const items = links.map(({ href, text, isCurrent }) => {
    const mark = isCurrent ? ` aria-current="${current}"` : ''
    return `<li><a href="${href}"${mark}>${escape(text)}</a></li>`
  })
  return `<ul>${items.join('')}</ul>`
}

/** Renders the table of contents of a page; empty if it has fewer than two headings. */
export function renderContents(headings: readonly Heading[]): string {
  const listed = headings.filter(({ level }) => level <= 3)
  if (listed.length < 2) return ''
  const items = listed.map(
    ({ level, text, anchor }) =>
      `<li class="level-${level}"><a href="#${anchor}">${text.replaceAll(/<\/?a\b[^>]*>/g, '')}</a></li>`,
  )
  return `<nav class="contents nav" aria-label="On this page"><details><summary>On this page</summary><ul>${items.join('')}</ul></details></nav>`
}

export function renderNeighbours(pages: readonly Page[], name: string): string {
  const index = pages.findIndex((page) => page.name === name)
  const [before, after] = [pages[index - 1], pages[index + 1]]
  const previous = before && `<a rel="prev" href="/docs/${before.name}">← ${escape(before.title)}</a>`
  const next = after && `<a rel="next" href="/docs/${after.name}">${escape(after.title)} →</a>`
  return `<nav class="neighbours" aria-label="Previous and next page">${previous ?? ''}${next ?? ''}</nav>`
}

export function renderNotFound(pages: readonly Page[]): string {
  const items = pages.map(({ name, title }) => `<li><a href="/docs/${name}">${escape(title)}</a></li>`)
  return `<h1>There is no such page</h1>
<p>The address may be misspelled. Search for what you need with <kbd>/</kbd>, or choose a page:</p>
<ul>${items.join('')}<li><a href="${REFERENCE}">API reference</a></li></ul>`
}

const SERVER = 'http://127.0.0.1:4500'

/** Renders `llms.txt`, the list of the pages for coding agents. The server replaces its address. */
export function renderIndex(pages: readonly Page[]): string {
  const groups = pageGroups.map(({ title, names }) => {
    const items = pages
      .filter(({ name }) => names.includes(name))
      .map(({ name, title: text, summary }) => `- [${text}](${SERVER}/docs/${name}.md): ${summary}`)
    return `## ${title}\n\n${items.join('\n')}\n`
  })
  return `# workspace-sandbox

> A mock server of the Workspace REST Service, with all of its 22 operations over a generated tenant.

The service is at ${SERVER}/v1, and its OpenAPI document at ${SERVER}/openapi.json. ${SERVER}/_sandbox/openapi.json
describes the control plane, which injects faults, moves the clock and arranges records.

${groups.join('\n')}`
}
