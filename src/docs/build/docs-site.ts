import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Plugin } from 'vite'

import {
  renderContents,
  renderHeader,
  renderNeighbours,
  renderNotFound,
  renderSidebar,
  sortPages,
} from './layout.ts'
import { escape, type Page, renderPage } from './markdown.ts'

/** The module of everything that the search can find. */
const SECTIONS = 'virtual:sections'

const TEMPLATE = 'guide.html'

export function docsSite(folder: string): Plugin {
  let pages: readonly Page[] = []
  return {
    name: 'docs-site',
    enforce: 'post',
    buildStart() {
      const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
      pages = sortPages(
        files.map((file) => renderPage(file.slice(0, -3), readFileSync(join(folder, file), 'utf8'))),
      )
    },
    resolveId: (id) => (id === SECTIONS ? `\0${SECTIONS}` : undefined),
    load: (id) => {
      if (id !== `\0${SECTIONS}`) return undefined
      const sections = pages.flatMap((page) => page.sections)
      return `export const sections = JSON.parse(${JSON.stringify(JSON.stringify(sections))})`
    },
    transformIndexHtml: (html, { filename }) =>
      filename.endsWith(TEMPLATE) ? html : frame(html, pages, '/docs'),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const template = bundle[TEMPLATE]
        if (template?.type !== 'asset') throw new Error(`${TEMPLATE} was not built.`)
        delete bundle[TEMPLATE]
        const html = String(template.source)
        const emit = (fileName: string, source: string): string =>
          this.emitFile({ type: 'asset', fileName, source })
        for (const page of pages) emit(`${page.name}.html`, fillPage(html, pages, page))
        emit('404.html', fillNotFound(html, pages))
      },
    },
  }
}

function frame(html: string, pages: readonly Page[], current: string | undefined): string {
  return fill(html, { header: renderHeader(pages, current), sidebar: renderSidebar(pages, current) })
}

function fillPage(template: string, pages: readonly Page[], page: Page): string {
  return fill(frame(template, pages, page.name), {
    title: escape(page.title),
    contents: renderContents(page.headings),
    content: page.html,
    neighbours: renderNeighbours(pages, page.name),
  })
}

function fillNotFound(template: string, pages: readonly Page[]): string {
  return fill(frame(template, pages, undefined), {
    title: 'No such page',
    contents: '',
    content: renderNotFound(pages),
    neighbours: '',
  })
}

function fill(html: string, parts: Readonly<Record<string, string>>): string {
  return html.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => parts[name] ?? whole)
}
