import MiniSearch from 'minisearch'

import type { Section } from './build/markdown.ts'

const LIMIT = 8

const SNIPPET = 140

function find<T extends HTMLElement>(selector: string, type: { new (): T }): T {
  const element = document.querySelector(selector)
  if (element instanceof type) return element
  throw new Error(`The page has no ${selector}.`)
}

interface Found {
  readonly section: Section
  readonly words: readonly string[]
}

async function loadSearch(): Promise<(text: string) => Found[]> {
  const { sections } = await import('virtual:sections')
  const index = new MiniSearch<Section>({
    idField: 'url',
    fields: ['title', 'heading', 'names', 'text'],
    searchOptions: {
      boost: { title: 3, heading: 4, names: 4 },
      prefix: true,
      fuzzy: 0.15,
      combineWith: 'AND',
      // The operations of the service come first.
      boostDocument: (url) => (String(url).startsWith('/docs#') ? 3 : 1),
    },
  })
  index.addAll(sections)
  const byUrl = new Map<unknown, Section>(sections.map((section) => [section.url, section]))
  return (text) =>
    index
      .search(text)
      .slice(0, LIMIT)
      .flatMap(({ id, terms }) => {
        const section = byUrl.get(id)
        return section ? [{ section, words: terms }] : []
      })
}

/**
 * Starts the search in the header. `/` focuses it, arrows choose a result, Enter opens it, Escape closes the results.
 * @param toHref completes the URL of a result
 */
export function startSearch(toHref: (url: string) => string): void {
  const input = find('#search', HTMLInputElement)
  const list = find('#results', HTMLUListElement)
  const status = find('#search-status', HTMLElement)
  let loading: ReturnType<typeof loadSearch> | undefined
  let active = 0

  const close = (): void => {
    list.hidden = true
    input.ariaExpanded = 'false'
    input.removeAttribute('aria-activedescendant')
  }
  const choose = (index: number): void => {
    const options = [...list.children]
    active = (index + options.length) % Math.max(options.length, 1)
    for (const [place, option] of options.entries()) option.ariaSelected = String(place === active)
    const option = options[active]
    if (option) input.setAttribute('aria-activedescendant', option.id)
    option?.scrollIntoView({ block: 'nearest' })
  }
  const open = (): void => {
    const url = list.children[active]?.getAttribute('data-url')
    if (!url) return
    close()
    location.assign(toHref(url))
  }
  const search = async (): Promise<void> => {
    const text = input.value.trim()
    const run = await (loading ??= loadSearch())
    // Another character may have been typed in the meantime.
    if (text !== input.value.trim()) return
    const results = text === '' ? [] : run(text)
    list.replaceChildren(...results.map(createOption))
    status.textContent = text === '' || results.length > 0 ? '' : `Nothing found for “${text}”.`
    if (results.length === 0) return close()
    list.hidden = false
    input.ariaExpanded = 'true'
    choose(0)
  }

  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => choose(active + 1),
    ArrowUp: () => choose(active - 1),
    Enter: open,
    Escape: () => (list.hidden ? input.blur() : close()),
  }
  input.addEventListener('input', () => void search())
  input.addEventListener('focus', () => void search())
  input.addEventListener('blur', () => close())
  input.addEventListener('keydown', (event) => {
    const action = actions[event.key]
    if (!action || (list.hidden && event.key !== 'Escape')) return
    event.preventDefault()
    action()
  })
  // Before the input loses the focus, which closes the list.
  list.addEventListener('mousedown', (event) => {
    const option = event.target instanceof Element ? event.target.closest('li') : null
    if (!option || event.button !== 0) return
    event.preventDefault()
    choose([...list.children].indexOf(option))
    open()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
  find('.search', HTMLElement).hidden = false
}

function createOption({ section, words }: Found, index: number): HTMLLIElement {
  const { url, title, heading, text } = section
  const option = document.createElement('li')
  option.id = `result-${index}`
  option.role = 'option'
  option.dataset['url'] = url
  const place = document.createElement('strong')
  place.textContent = heading === '' ? title : `${title} › ${heading}`
  const snippet = document.createElement('span')
  snippet.append(...highlight(cut(text, words), words))
  option.append(place, snippet)
  return option
}

function cut(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const start = first < SNIPPET / 2 ? 0 : text.indexOf(' ', first - SNIPPET / 2) + 1
  const space = text.indexOf(' ', start + SNIPPET)
  const end = space === -1 ? text.length : space
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

function highlight(text: string, words: readonly string[]): (string | HTMLElement)[] {
  const lower = text.toLowerCase()
  const [word] = words
    .filter((one) => lower.includes(one))
    .toSorted((a, b) => lower.indexOf(a) - lower.indexOf(b) || b.length - a.length)
  if (word === undefined) return [text]
  const [from, to] = [lower.indexOf(word), lower.indexOf(word) + word.length]
  const mark = document.createElement('mark')
  mark.textContent = text.slice(from, to)
  return [text.slice(0, from), mark, ...highlight(text.slice(to), words)]
}
