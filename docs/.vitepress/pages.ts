import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import groupsOfPages from '../../src/pages/shell/guide.json' with { type: 'json' }

/** A page of the guide. */
export interface Page {
  /** The file in `docs`, without `.md`. */
  readonly name: string
  readonly title: string
  /** The first paragraph, in one line. */
  readonly summary: string
  /** As it is shipped: without comments, pictures, and links to files that are not. */
  readonly markdown: string
}

export interface PageGroup {
  readonly title: string
  readonly pages: readonly Page[]
}

/** The guide. Order: as in the sidebar. */
const groups: Readonly<Record<string, readonly string[]>> = groupsOfPages

/** Reads all pages of the guide from a folder. */
export const readPages = (folder: string): PageGroup[] =>
  Object.entries(groups).map(([title, names]) => ({
    title,
    pages: names.map((name) => readPage(name, readFileSync(join(folder, `${name}.md`), 'utf8'))),
  }))

function readPage(name: string, text: string): Page {
  const [heading = '', summary = ''] = text.split('\n\n')
  const markdown = dropRepositoryLinks(text.replaceAll(/^<!--.*?-->\n\n?|^!\[[^\n]*\n\n/gms, ''))
  return { name, title: heading.replace('# ', ''), summary: summary.replaceAll('\n', ' '), markdown }
}

/** Replaces links from a page of the guide to files that are not shipped by their texts. */
export const dropRepositoryLinks = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')

/**
 * Shows the comment before a code block: the name of its file above, and why CI does not run it below, unless CI has done it
 * before.
 */
export const explainBlocks = (markdown: string): string =>
  markdown
    .replaceAll(/^<!-- not run: CI has .*? -->$/gm, '')
    .replaceAll(
      /^<!-- not run: (.*?) -->\n+(```.*?\n```)$/gms,
      '$2\n\n<p class="not-run">Not run in CI: $1.</p>',
    )
    .replaceAll(/^<!-- (?:file: )?(\S*\w\.\w+|\S+\/\w+) -->(?=\n+```)/gm, '<p class="file-name">$1</p>\n')

/** Names the anchor of a heading as Git hosts do, so that links work in both places. */
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

/** Replaced by the server's own address. */
const SERVER = 'http://127.0.0.1:4500'

/** Renders `llms.txt`, the list of the pages for coding agents. */
export function renderIndex(guide: readonly PageGroup[]): string {
  const lists = guide.map(({ title, pages }) => {
    const items = pages.map(
      (page) => `- [${page.title}](${SERVER}/_sandbox/docs/${page.name}.md): ${page.summary}`,
    )
    return `## ${title}\n\n${items.join('\n')}\n`
  })
  return `# workspace-sandbox

> A mock server of the Workspace REST Service, with all of its operations over a generated tenant.

The service is at ${SERVER}/v1, and its OpenAPI document at ${SERVER}/openapi.json. ${SERVER}/_sandbox/openapi.json
describes the control plane, which injects faults, moves the clock and arranges records.

${lists.join('\n')}`
}
