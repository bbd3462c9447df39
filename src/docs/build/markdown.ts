import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

import highlighter from 'highlight.js'
import { Marked, type Token, type Tokens } from 'marked'

import { createAnchors } from './anchors.ts'

export interface Heading {
  readonly level: number
  /** HTML. */
  readonly text: string
  readonly anchor: string
}

export interface Section {
  readonly url: string
  readonly title: string
  /** Empty for the text before the first heading. */
  readonly heading: string
  readonly text: string
}

export interface Page {
  readonly name: string
  readonly title: string
  /** The first paragraph, in one line. */
  readonly summary: string
  /** As it is shipped: without comments, and without links to files that are not. */
  readonly markdown: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

/** The file of a page without its ending. */
const FOLDER = 'docs'

const SERVER = /^http:\/\/(?:127\.0\.0\.1|localhost):4500(?=\/|$)/

export function renderPage(name: string, markdown: string): Page {
  const headings: Heading[] = []
  const toAnchor = createAnchors()
  const marked = new Marked({
    renderer: {
      heading(token) {
        const text = this.parser.parseInline(token.tokens)
        const anchor = toAnchor(toText(token))
        if (token.depth === 1) return `<h1>${text}</h1>\n`
        headings.push({ level: token.depth, text, anchor })
        const link = `<a class="anchor" href="#${anchor}" aria-label="Link to ${escape(toText(token))}">#</a>`
        return `<h${token.depth} id="${anchor}">${text} ${link}</h${token.depth}>\n`
      },
      code: renderCode,
      table(token) {
        const cell = (tag: string, { tokens }: Tokens.TableCell): string =>
          `<${tag}>${breakCode(this.parser.parseInline(tokens))}</${tag}>`
        const head = token.header.map((one) => cell(one.text === '' ? 'td' : 'th', one)).join('')
        const rows = token.rows.map((row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`)
        const table = `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
        const label = headings.at(-1)?.text.replaceAll(/<[^>]*>/g, '') ?? 'Table'
        return `<div class="scroll" role="group" tabindex="0" aria-label="Table: ${label}">${table}</div>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = toTarget(href)
        return target === undefined
          ? `<span class="elsewhere" title="In the repository: ${escape(href)}">${text}</span>`
          : `<a href="${escape(target)}">${text}</a>`
      },
      image: ({ href, text }) => `<img src="${toData(href)}" alt="${escape(text)}">`,
    },
  })
  const tokens = attachNotes(marked.lexer(markdown))
  const title = toText(tokens.find((token) => token.type === 'heading') ?? { text: name })
  const html = marked.parser(tokens)
  const paragraph = tokens.find((token) => token.type === 'paragraph')
  return {
    name,
    title,
    summary: paragraph ? paragraph.raw.trim().replaceAll('\n', ' ') : '',
    markdown: markdown.replaceAll(/^<!--.*?-->\n\n?/gms, '').replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1'),
    html,
    headings,
    sections: listSections(name, title, tokens, headings),
  }
}

/** Moves each comment such as `not run: …` to the code block after it, and drops the other comments. */
function attachNotes(tokens: readonly Token[]): Token[] {
  let note = ''
  const kept: Token[] = []
  for (const token of tokens) {
    const comment = token.type === 'html' ? /^<!--\s*(.*?)\s*-->\s*$/s.exec(token.raw) : null
    if (comment) note = comment[1] ?? ''
    else if (token.type === 'code') kept.push({ ...token, note })
    else if (token.type !== 'space') kept.push(token)
    if (!comment && token.type !== 'space') note = ''
  }
  return kept
}

function renderCode({ text, lang = '', ...rest }: Tokens.Code): string {
  const note = 'note' in rest && typeof rest.note === 'string' ? rest.note : ''
  const isKnown = highlighter.getLanguage(lang) && lang !== 'text'
  const code = isKnown ? highlighter.highlight(text, { language: lang }).value : escape(text)
  const [, file] = /^(?:file: )?((?:examples\/)?[\w./-]+\.\w+)$/.exec(note) ?? []
  const [, reason] = /^not run: (.*)$/.exec(note) ?? []
  const caption = file === undefined ? '' : `<figcaption>${escape(file)}</figcaption>`
  const why = reason === undefined ? '' : `<p class="not-run">Not run in CI: ${escape(reason)}.</p>`
  const label = escape(file ?? (lang || 'text'))
  const block = `<pre tabindex="0" role="group" aria-label="Code: ${label}"><code>${code}</code></pre>`
  const wrapped = ['sh', 'json'].includes(lang) ? ' wrapped' : ''
  return `<figure class="code${wrapped}">${caption}${block}${why}</figure>\n`
}

/** Lets long names in code break after their separators. */
const breakCode = (html: string): string =>
  html.replaceAll(/<code>.*?<\/code>/g, (code) => code.replaceAll(/(?<!<)([_/.])(?=[\w{])/g, '$1<wbr>'))

/** Returns the target of a link on the built site; undefined for a file of the repository that is not on it. */
function toTarget(href: string): string | undefined {
  if (SERVER.test(href)) return href.replace(SERVER, '') || '/'
  if (/^(?:https?:|#|\/)/.test(href)) return href
  const [, name, fragment = ''] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return name === undefined ? undefined : `/docs/${name}${fragment}`
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
}

/** Embeds an image, since pages must be complete without further files. */
function toData(href: string): string {
  const file = join(FOLDER, href)
  const type = mediaTypes[extname(file)]
  if (type === undefined || !existsSync(file))
    throw new Error(`${FOLDER} shows ${href}, which is not an image file.`)
  return `data:${type};base64,${readFileSync(file, 'base64')}`
}

function listSections(
  name: string,
  title: string,
  tokens: readonly Token[],
  headings: readonly Heading[],
): Section[] {
  const sections: { url: string; title: string; heading: string; text: string }[] = []
  const rest = [...headings]
  for (const token of tokens) {
    if (token.type === 'heading') {
      const anchor = token['depth'] === 1 ? undefined : rest.shift()?.anchor
      const url = `/docs/${name}${anchor === undefined ? '' : `#${anchor}`}`
      sections.push({ url, title, heading: anchor === undefined ? '' : toText(token), text: '' })
      continue
    }
    const section = sections.at(-1)
    if (section) section.text = `${section.text} ${toText(token)}`.trim()
  }
  return sections
}

interface Part {
  readonly type?: string
  readonly text?: string
  readonly tokens?: readonly Part[] | undefined
  readonly items?: readonly Part[]
  /** The cells of a table's head; whether a cell belongs to it. */
  readonly header?: readonly Part[] | boolean
  readonly rows?: readonly (readonly Part[])[]
}

function toText({ type = '', text = '', tokens = [], items = [], header, rows = [] }: Part): string {
  const blocks = [...items, ...(typeof header === 'object' ? header : []), ...rows.flat()]
  if (blocks.length > 0) return blocks.map(toText).join(' ')
  if (tokens.length > 0) return tokens.map(toText).join(/^(?:list_item|blockquote)$/.test(type) ? ' ' : '')
  return type === 'code' ? text.replaceAll(/\s+/g, ' ') : text
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
