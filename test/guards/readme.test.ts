import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, it } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }
import type { Operation } from '../../src/contract/operation.ts'
import { getProvenance } from '../../src/contract/provenance.ts'
import { endpoints } from '../../src/resources/index.ts'
import { markdownTable } from '../bench/report.ts'
import result from '../bench/result.json' with { type: 'json' }

/** Every page that people read. */
const pages = ['.', 'docs', 'examples'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

it('README.md lists every operation, and which are documented or assumed', () => {
  expectCurrent('README.md', 'operations', [
    '| Operation | Method and path | Query and body | Response |',
    '| --- | --- | --- | --- |',
    ...endpoints.map(operationRow),
  ])
})

it('docs/benchmarks.md shows the last complete run', () => {
  expectCurrent('docs/benchmarks.md', 'bench', markdownTable(result))
})

it('README.md quotes the examples as they are', () => {
  const quotes = [...read('README.md').matchAll(/<!-- (examples\/\S+) -->\n```\w+\n(.*?)```/gs)]
  expect(quotes.length).toBeGreaterThan(2)
  for (const [, file = '', code = ''] of quotes) {
    const lines = read(file)
      .split('\n')
      .map((line) => line.trim())
    for (const line of code.split('\n')) expect(lines, `in ${file}`).toContain(line.trim())
  }
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

it.each(pages)('%s points only to files that exist', (page) => {
  const text = read(page)
  const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g), ([, path = '']) =>
    join(dirname(page), decodeURI(path)),
  )
  const quoted = Array.from(
    text.matchAll(/`((?:src|seed|test|docs|examples|fixtures)\/[\w./-]*)`/g),
    ([, path = '']) => path,
  )
  expect([...links, ...quoted].filter((path) => !existsSync(path))).toEqual([])
})

const read = (path: string): string => readFileSync(path, 'utf8')

/** Compares a generated part of a page; with `TABLES=write`, writes it. */
function expectCurrent(page: string, name: string, lines: readonly string[]): void {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const text = read(page)
  const [before, after] = [text.indexOf(start) + start.length, text.indexOf(end)]
  const generated = `\n\n${lines.join('\n')}\n\n`
  if (process.env['TABLES'] === 'write') {
    writeFileSync(page, text.slice(0, before) + generated + text.slice(after))
    return
  }
  expect(text.slice(before, after), 'Run `npm run tables`.').toBe(generated)
}

function operationRow({ id, method, path, query, body, assumes, shape }: Operation): string {
  const { offset, limit: _, ...filters } = query.parameters
  const input = [...(offset ? ['pagination'] : []), ...Object.keys(filters), ...(body ? ['body'] : [])]
  const own = getProvenance(shape)
  const assumed = [assumes, own?.['x-provenance'] === 'assumed' ? own['x-assumption'] : undefined]
  const ids = [...new Set(assumed.filter((value) => value !== undefined))].toSorted()
  const response = ids.length > 0 ? `assumed: ${ids.join(', ')}` : 'documented'
  return `| ${id} | ${method} \`${path}\` | ${input.join(', ') || '–'} | ${response} |`
}
