import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { defineConfig } from 'vitepress'

import { formatExports } from './exports.ts'
import { dropRepositoryLinks, explainBlocks, readPages, renderIndex, toAnchor } from './pages.ts'
import { writeReference } from './reference.ts'

const folder = 'docs'
const base = '/_sandbox/docs/'
const guide = readPages(folder)
const reference = await writeReference(join(folder, 'reference'))
writeFileSync(join(folder, 'reference', 'exports.md'), formatExports())

/** The favicon, as in the console. */
const [, icon = ''] = /rel="icon"\s+href="([^"]+)"/.exec(readFileSync('src/pages/index.html', 'utf8')) ?? []

/** The scripts that VitePress puts inline: the choice between light and dark, and the keys of a Mac. */
const inlineScripts = new Set<string>()

/** Code as it is highlighted: pages and their search render every block, and many pages have the same ones. */
const highlighted = new Map<string, string>()

export default defineConfig({
  title: 'workspace-sandbox',
  description: 'A mock server of the Workspace REST Service',
  base,
  outDir: '../dist/docs',
  cleanUrls: true,
  metaChunk: true,
  srcExclude: ['agents/**'],
  head: [['link', { rel: 'icon', href: icon }]],
  markdown: {
    config: (markdown) => {
      markdown.core.ruler.before('normalize', 'explain-blocks', (state) => {
        const isOfGuide = !String(state.env.relativePath).includes('/')
        state.src = isOfGuide ? dropRepositoryLinks(explainBlocks(state.src)) : state.src
      })
      const { highlight } = markdown.options
      markdown.options.highlight = (...block) => {
        const key = JSON.stringify(block)
        const html = highlighted.get(key) ?? highlight?.(...block) ?? ''
        highlighted.set(key, html)
        return html
      }
      // A path or a variable that breaks between its words leaves room for the last column of a table.
      const { code_inline: renderCode } = markdown.renderer.rules
      markdown.renderer.rules.code_inline = (...code) =>
        renderCode?.(...code).replaceAll(/(?<=[\w}])[/,](?=[\w{])|(?<=[A-Z])_(?=[A-Z])/g, '$&<wbr>') ?? ''
    },
    anchor: { slugify: toAnchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Shows the text around a match.
        detailedView: true,
        // Lets the button be named by what it shows, its key included.
        translations: { button: { buttonText: 'Search', buttonAriaLabel: ' ' } },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Which tool when', link: '/which-tool' },
      { text: 'API reference', link: '/reference/' },
      // The server replaces the address by its own.
      { text: 'Console', link: 'http://127.0.0.1:4500/_sandbox', target: '_self', noIcon: true },
    ],
    sidebar: [
      ...guide.map(({ title, pages }) => ({
        text: title,
        items: pages.map((page) => ({ text: page.title, link: `/${page.name}` })),
      })),
      {
        text: 'API reference',
        items: [
          { text: 'All operations', link: '/reference/' },
          ...reference.service,
          { text: 'Assumptions', link: '/reference/assumptions' },
          { text: 'Exported names', link: '/reference/exports' },
        ],
      },
      { text: 'Control plane', items: [...reference.control] },
    ],
  },
  // The server's policy allows no inline scripts, so they become a file.
  transformHtml: (html) =>
    html
      .replaceAll(/<script id="check-[\w-]+">(.*?)<\/script>/gs, (_, script: string) => {
        inlineScripts.add(script)
        return ''
      })
      .replace('</head>', `<script src="${base}theme.js"></script></head>`),
  buildEnd({ outDir }) {
    writeFileSync(join(outDir, 'theme.js'), [...inlineScripts].join('\n'))
    for (const { name, markdown } of guide.flatMap(({ pages }) => pages)) {
      writeFileSync(join(outDir, `${name}.md`), markdown)
    }
    cpSync(join(folder, 'reference'), join(outDir, 'reference'), { recursive: true })
    cpSync(join(folder, 'agents', 'index.md'), join(outDir, 'agents.md'))
    writeFileSync(join(outDir, 'llms.txt'), renderIndex(guide))
  },
})
