import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { folderWith, temporaryFolder } from '../folders.ts'
import { run } from './command.ts'

const name = 'workspace-sandbox.config'
const exists = 'it already exists. Change it, or remove it first.\n'

it('writes a valid config file with what people change, and never over another one', async () => {
  const cwd = temporaryFolder()
  expect(await run(['init'], { cwd })).toEqual({ code: 0, stdout: `Wrote ${name}.ts.\n`, stderr: '' })
  const { stdout } = await run(['export', '--memory', '--size', '3'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ madeWith: { seed: 42 } })
  const path = join(cwd, `${name}.ts`)
  // Every example, without its comment.
  const text = readFileSync(path, 'utf8').replaceAll(/^( *)\/\/ ( *\w+: .*[,{]|\},)$/gm, '$1$2')
  writeFileSync(path, text.replace('./fixture.json', 'empty').replace('memory: true', 'memory: false'))
  const outcome = await run(['openapi', '--memory'], { cwd })
  expect(outcome).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(outcome.stdout)).toMatchObject({ servers: [{ url: 'http://127.0.0.1:4500/v1' }] })
  const stderr = `Cannot write ${name}.ts: ${exists}`
  expect(await run(['init'], { cwd })).toEqual({ code: 1, stdout: '', stderr })
})

it('writes no config file beside one of another ending, since no command could choose', async () => {
  const cwd = folderWith({ [`${name}.json`]: '{}' })
  const stderr = expect.stringContaining(`${name}.json exists`)
  expect(await run(['init'], { cwd })).toEqual({ code: 1, stdout: '', stderr })
  expect(readdirSync(cwd)).toEqual([`${name}.json`])
})

it('writes an example test for Vitest, and never over another file', async () => {
  const cwd = folderWith({ 'tsconfig.json': '{}' })
  const file = 'test/sandbox.test.ts'
  const stdout = `Wrote ${file}. Run it with npm install --save-dev vitest && npx vitest run.\n`
  expect(await run(['init', '--vitest'], { cwd })).toEqual({ code: 0, stdout, stderr: '' })
  expect(readdirSync(cwd).toSorted()).toEqual(['test', 'tsconfig.json'])
  const stderr = `Cannot write ${file}: ${exists}`
  expect(await run(['init', '--vitest'], { cwd })).toEqual({ code: 1, stdout: '', stderr })
})
