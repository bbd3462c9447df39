import { readFileSync, writeFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import type { Operation } from '../../src/contract/operation.ts'
import { provenanceOf } from '../../src/contract/provenance.ts'
import { endpoints } from '../../src/resources/index.ts'
import { benchLines } from '../bench/readme.ts'
import result from '../bench/result.json' with { type: 'json' }

const root = new URL('../../', import.meta.url)
const path = new URL('README.md', root)

it('shows every operation with what is documented and what is assumed', () => {
  expectCurrent('operations', [
    '| Operation | Method and path | Query and body | Answer |',
    '| --- | --- | --- | --- |',
    ...endpoints.map(operationRow),
  ])
})

it('shows what the last whole run of the benchmarks measured', () => {
  expectCurrent('bench', benchLines(result))
})

it('shows nothing of an example that the example does not have', () => {
  const text = readFileSync(path, 'utf8')
  const quotes = [...text.matchAll(/<!-- (examples\/\S+) -->\n```\w+\n(.*?)```/gs)]
  expect(quotes.length).toBeGreaterThan(2)
  for (const [, file = '', code = ''] of quotes) {
    const lines = readFileSync(new URL(file, root), 'utf8')
      .split('\n')
      .map((line) => line.trim())
    for (const line of code.split('\n')) expect(lines, `in ${file}`).toContain(line.trim())
  }
})

/** Compares a generated part of the README; with README=write it is written instead. */
function expectCurrent(name: string, lines: readonly string[]): void {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const text = readFileSync(path, 'utf8')
  const [before, after] = [text.indexOf(start) + start.length, text.indexOf(end)]
  const generated = `\n\n${lines.join('\n')}\n\n`
  if (process.env['README'] === 'write') {
    writeFileSync(path, text.slice(0, before) + generated + text.slice(after))
    return
  }
  expect(text.slice(before, after), 'run `npm run readme`').toBe(generated)
}

function operationRow({ id, method, path: template, query, body, assumes, shape }: Operation): string {
  const parameters = Object.keys(query.parameters).filter((name) => name !== 'offset' && name !== 'limit')
  const asked = [
    ...('offset' in query.parameters ? ['pagination'] : []),
    ...parameters,
    ...(body ? ['body'] : []),
  ]
  const own = provenanceOf(shape)
  const assumed = [assumes, own?.['x-provenance'] === 'assumed' ? own['x-assumption'] : undefined]
  const ids = [...new Set(assumed.filter((value) => value !== undefined))].toSorted()
  const answer = ids.length > 0 ? `assumed: ${ids.join(', ')}` : 'documented'
  return `| ${id} | ${method} \`${template}\` | ${asked.join(', ') || '–'} | ${answer} |`
}
