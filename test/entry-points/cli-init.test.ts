import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { run } from './command.ts'

const name = 'workspace-sandbox.config'

it('writes a valid config file with every option, and never over another one', async () => {
  const cwd = temporaryFolder()
  expect(await run(['init'], { cwd })).toEqual({ code: 0, stdout: `Wrote ${name}.ts.\n`, stderr: '' })
  const { stdout } = await run(['export', '--memory', '--size', '3'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ madeWith: { seed: 42 } })
  const { code, stderr } = await run(['init'], { cwd })
  expect(code).toBe(1)
  expect(stderr).toBe(`Cannot write ${name}.ts: it already exists. Change it, or remove it first.\n`)
})

it('writes an example test for Vitest, and never over another file', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'tsconfig.json'), '{}')
  const next = 'Run it with npm install --save-dev vitest && npx vitest run.'
  expect(await run(['init', '--vitest'], { cwd })).toEqual({
    code: 0,
    stdout: `Wrote test/sandbox.test.ts. ${next}\n`,
    stderr: '',
  })
  expect(readdirSync(cwd).toSorted()).toEqual(['test', 'tsconfig.json'])
  const remedy = 'Change it, or remove it first.'
  expect(await run(['init', '--vitest'], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: `Cannot write test/sandbox.test.ts: it already exists. ${remedy}\n`,
  })
})

const marks = ['<!-- workspace-sandbox -->', '<!-- /workspace-sandbox -->'] as const

it('writes an index of every page into AGENTS.md, and updates it between its markers', async () => {
  const cwd = temporaryFolder()
  const file = join(cwd, 'AGENTS.md')
  const init = async () => (await run(['init', '--agents'], { cwd })).stdout
  expect(await init()).toBe('Wrote AGENTS.md.\n')
  const written = readFileSync(file, 'utf8')
  expect(written.startsWith(`${marks[0]}\n`) && written.endsWith(`\n${marks[1]}\n`)).toBe(true)
  expect(written.split('\n').length).toBeLessThanOrEqual(150)
  const pages = readdirSync('docs').filter((page) => page.endsWith('.md'))
  for (const page of pages) expect(written).toContain(`\`${page}\``)
  for (const [, page = ''] of written.matchAll(/`([\w-]+\.md)`/g)) expect(pages).toContain(page)
  expect(await init()).toBe('AGENTS.md is up to date.\n')
  writeFileSync(file, `# Mine\n${marks[0]}\nold\n${marks[1]}\nAlso mine`)
  expect(await init()).toBe('Updated AGENTS.md.\n')
  expect(readFileSync(file, 'utf8')).toBe(`# Mine\n${written.trimEnd()}\nAlso mine`)
})

it('adds the index to an AGENTS.md without one, with its line ends', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'AGENTS.md'), '# Mine\r\n')
  expect(await run(['init', '--agents'], { cwd })).toMatchObject({ code: 0, stdout: 'Updated AGENTS.md.\n' })
  const text = readFileSync(join(cwd, 'AGENTS.md'), 'utf8')
  expect(text.startsWith(`# Mine\r\n\r\n${marks[0]}\r\n`)).toBe(true)
  expect(text).not.toMatch(/(?<!\r)\n/)
})

it.each([
  ['a link', (path: string) => symlinkSync('elsewhere', path), 'it is a symbolic link'],
  ['a folder', (path: string) => mkdirSync(path), 'it is not a file'],
  ['no text', (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe])), 'it is not UTF-8'],
  ['too long', (path: string) => writeFileSync(path, 'x'.repeat(1_048_577)), 'it is larger than 1 MiB'],
  ['half an index', (path: string) => writeFileSync(path, `${marks[1]}\n${marks[0]}`), 'are not one pair'],
])('leaves an AGENTS.md alone that is %s', async (_, create, fact) => {
  const cwd = temporaryFolder()
  create(join(cwd, 'AGENTS.md'))
  const { code, stdout, stderr } = await run(['init', '--agents'], { cwd })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Cannot write AGENTS\.md: .*\. .*\.\n$/)
  expect(stderr).toContain(fact)
  expect(readdirSync(cwd)).toEqual(['AGENTS.md'])
})
