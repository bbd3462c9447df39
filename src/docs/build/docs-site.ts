import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Plugin } from 'vite'

import {
  renderContents,
  renderHeader,
  renderIndex,
  renderNeighbours,
  renderNotFound,
  renderSidebar,
  sortPages,
} from './layout.ts'
import { escape, type Page, renderPage } from './markdown.ts'
import { listOperationSections, type Reference, toReferencePath } from './operations.ts'

const SECTIONS = 'virtual:sections'

/** The favicon, as in the console. */
const [, icon = ''] = /rel="icon"\s+href="([^"]+)"/.exec(readFileSync('src/console/index.html', 'utf8')) ?? []

export function docsSite(folder: string, loadReferences: () => Promise<readonly Reference[]>): Plugin {
  let pages: readonly Page[] = []
  let references: readonly Reference[] = []
  return {
    name: 'docs-site',
    enforce: 'post',
    async buildStart() {
      const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
      pages = sortPages(
        files.map((file) => renderPage(file.slice(0, -3), readFileSync(join(folder, file), 'utf8'))),
      )
      references = await loadReferences()
    },
    resolveId: (id) => (id === SECTIONS ? `\0${SECTIONS}` : undefined),
    load: (id) => {
      if (id !== `\0${SECTIONS}`) return undefined
      const sections = [
        ...pages.flatMap((page) => page.sections),
        ...references.flatMap(listOperationSections),
      ]
      return `export const sections = JSON.parse(${JSON.stringify(JSON.stringify(sections))})`
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const takeTemplate = (name: string): string => {
          const template = bundle[name]
          if (template?.type !== 'asset') throw new Error(`${name} was not built.`)
          delete bundle[name]
          return String(template.source)
        }
        const [guide, reference] = [takeTemplate('guide.html'), takeTemplate('reference.html')]
        const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
        const fillFrame = (
          html: string,
          current: string | undefined,
          parts: Parts,
          shown?: Reference,
        ): string =>
          fill(html, {
            icon,
            header: renderHeader(pages, current),
            sidebar: renderSidebar(pages, current, shown),
            ...parts,
          })
        for (const { name, markdown, title, headings, html } of pages) {
          const contents = renderContents(headings)
          const neighbours = renderNeighbours(pages, name)
          const parts = { title: escape(title), contents, content: html, neighbours }
          emit(`${name}.html`, fillFrame(guide, name, parts))
          emit(`${name}.md`, markdown)
        }
        const missing = {
          title: 'No such page',
          contents: '',
          content: renderNotFound(pages),
          neighbours: '',
        }
        emit('404.html', fillFrame(guide, undefined, missing))
        emit('llms.txt', renderIndex(pages))
        emit('agents.md', readFileSync(join(folder, 'agents', 'index.md'), 'utf8'))
        for (const one of references) {
          const parts = { title: escape(one.title), reference: one.name }
          emit(`${one.name}.html`, fillFrame(reference, toReferencePath(one.name), parts, one))
        }
      },
    },
  }
}

type Parts = Readonly<Record<string, string>>

function fill(html: string, parts: Parts): string {
  return html.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => parts[name] ?? whole)
}
