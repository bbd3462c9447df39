import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, it } from 'vitest'

import { readPages, toAnchor } from '../../docs/.vitepress/pages.ts'
import manifest from '../../package.json' with { type: 'json' }
import { choiceNames } from '../../src/contract/choices.ts'
import { pages as runnablePages } from '../pages/blocks.ts'
import { planPage } from '../pages/plan.ts'
import { generatedTables } from '../pages/tables.ts'

/** Every page that people read. */
const pages = ['.', 'docs', 'examples', 'test/bench'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

it('every page in docs is in the sidebar', () => {
  const files = readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []))
  const listed = readPages('docs').flatMap(({ pages: group }) => group.map(({ name }) => name))
  expect(['index', ...listed].toSorted()).toEqual(files.toSorted())
})

for (const [name, { page, lines }] of Object.entries(generatedTables)) {
  const found = [...new Set([page, ...runnablePages])].filter((one) => read(one).includes(`<!-- ${name} -->`))

  it(`${page} has the table \`${name}\``, () => {
    expect(found).toContain(page)
  })

  it.each(found)(`%s has the current table \`${name}\``, (one) => expectCurrent(one, name, lines()))
}

it.each(runnablePages)('%s has no code block that CI neither runs nor marks as not run', (page) => {
  expect(planPage(page).errors).toEqual([])
})

it('CONTRIBUTING.md lists every npm script', () => {
  const rows = read('CONTRIBUTING.md').matchAll(/^\| `npm (?:run )?([\w:]+)` \|/gm)
  const steps = /^(?:pre|build:|dependencies$)/
  const scripts = Object.keys(manifest.scripts).filter((name) => !steps.test(name))
  expect(new Set(Array.from(rows, ([, name]) => name))).toEqual(new Set(scripts))
})

it.each(pages)('%s names only npm scripts that exist', (page) => {
  const named = Array.from(read(page).matchAll(/\bnpm run ([\w:]+)/g), ([, name]) => name)
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named))
})

it.each(pages.filter((page) => page !== 'CHANGELOG.md'))('%s names only settings that exist', (page) => {
  const named = Array.from(read(page).matchAll(/--assume '?(\w+)=/g), ([, name]) => name)
  expect(choiceNames).toEqual(expect.arrayContaining(named))
})

it.each(pages)('%s points only to files and headings that exist', (page) => {
  const text = withoutCode(read(page))
  const links = Array.from(text.matchAll(/\]\((?!https?:)([^)]+)\)/g), ([, link = '']) => link)
  const broken = links.filter((link) => {
    const [path = '', heading] = link.split('#')
    const file = path === '' ? page : join(dirname(page), decodeURI(path))
    // The build of the documentation writes it, and fails if a link leads nowhere.
    if (file.startsWith('docs/reference/')) return false
    if (!existsSync(file)) return true
    return heading !== undefined && file.endsWith('.md') && !listAnchors(read(file)).has(heading)
  })
  const quoted = Array.from(
    text.matchAll(/`((?:src|seed|test|docs|examples|fixtures)\/[\w./-]*)`/g),
    ([, path = '']) => path,
  )
  expect([...broken, ...quoted.filter((path) => !existsSync(path))]).toEqual([])
})

function read(path: string): string {
  return readFileSync(path, 'utf8')
}

/** Compares a generated part of a page; with `TABLES=write`, writes it. */
function expectCurrent(page: string, name: string, lines: readonly string[]): void {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const text = read(page)
  const [before, after] = [text.indexOf(start) + start.length, text.indexOf(end)]
  expect(after, `${page} has no ${end} after ${start}`).toBeGreaterThanOrEqual(before)
  const generated = `\n\n${lines.join('\n')}\n\n`
  if (process.env['TABLES'] === 'write') {
    writeFileSync(page, text.slice(0, before) + generated + text.slice(after))
    return
  }
  expect(text.slice(before, after), 'Run `npm run tables`.').toBe(generated)
}

const withoutCode = (text: string): string => text.replaceAll(/^ *```.*?^ *```/gms, '')

/** Lists the anchors of a page's headings, as Git hosts and the built pages name them. */
function listAnchors(text: string): ReadonlySet<string> {
  const headings = withoutCode(text).matchAll(/^#+ (.*)$/gm)
  return new Set(Array.from(headings, ([, heading = '']) => toAnchor(heading.replaceAll('`', ''))))
}
