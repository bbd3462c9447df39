import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect, it } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { folderWith, readFiles, temporaryFolder } from '../folders.ts'
import { as, customers, openSandbox, overHttp } from '../support.ts'
import {
  begin,
  bodyOf,
  createUsedFolder,
  exitCode,
  listening,
  noteContents,
  postNote,
  run,
  serve,
} from './command.ts'

/** Reads the fingerprint and notes that a server without options finds in a folder. */
async function served(data: string) {
  const { url, baseUrl, close } = await startSandbox({ data, port: 0 })
  const health = await bodyOf<{ fingerprint: string }>(await fetch(`${url}/health`))
  const notes = await noteContents(baseUrl)
  await close()
  return { ...health, notes }
}

it('rejects data that was made with other options, and names both and a remedy', async () => {
  const data = await createUsedFolder()
  const stderr = expect.stringMatching(/seed 42.*seed 7.*reseed.*--data/)
  expect(await run(['start', '--data', data, '--seed', '7'])).toEqual({ code: 1, stdout: '', stderr })
})

it('resets the files if no server is running', async () => {
  const data = await createUsedFolder()
  const stdout = `Reset ${data}: all changes were dropped.\n`
  expect(await run(['reset', '--data', data])).toEqual({ code: 0, stdout, stderr: '' })
  expect((await served(data)).notes).not.toContain('Written')
})

it('reseeds the files if no server is running, and keeps the options that are left out', async () => {
  const data = await createUsedFolder()
  const key = 'seed 7, size 25, fixture default, now 2026-01-15T12:00:00.000Z'
  const stdout = `Reseeded ${data}: ${key}.\n`
  expect(await run(['reseed', '--data', data, '--seed', '7'])).toEqual({ code: 0, stdout, stderr: '' })
  const { notes, ...health } = await served(data)
  expect(health).toMatchObject({ seed: 7, size: 25 })
  expect(notes).not.toContain('Written')
})

it('says that a fixture is unknown rather than that the data has another one', async () => {
  const data = await createUsedFolder()
  const before = readFiles(data)
  const stderr = 'Cannot load fixture emty: there is no fixture of that name. Did you mean empty?\n'
  expect(await run(['start', '--data', data, '--fixture', 'emty'])).toEqual({ code: 1, stdout: '', stderr })
  expect(readFiles(data)).toEqual(before)
})

it('reseeds the running server with the content of a fixture file, or says what is wrong with it', async () => {
  const data = temporaryFolder()
  const { url, baseUrl } = await serve(['--data', data])
  await postNote(baseUrl, 'Written')
  const cwd = temporaryFolder()
  const reseed = (fixture: string) =>
    run(['reseed', '--data', data, '--seed', '7', '--fixture', fixture], { cwd })
  writeFileSync(join(cwd, 'own.json'), '{"customers":[{"name":"Tern"}]}')
  for (const [fixture, fact] of [
    ['edge-case', 'Did you mean edge-cases?'],
    ['./own.json', './own.json: customers[0].id is required.'],
  ] as const) {
    const stderr = expect.stringContaining(fact)
    expect(await reseed(fixture)).toEqual({ code: 1, stdout: '', stderr })
  }
  expect((await run(['export', '--data', data])).code).toBe(0)

  writeFileSync(join(cwd, 'own.json'), JSON.stringify({ customers: [{ id: 1, name: 'Own Customer' }] }))
  const { stdout } = await reseed('./own.json')
  expect(stdout).toMatch(new RegExp(`^Reseeded ${url}: seed 7, size 25, fixture .*, now 2026-01-15`))
  expect(await noteContents(baseUrl)).not.toContain('Written')
  const customer = await as(overHttp(url), 'mara').get(`${customers}/1`)
  expect(customer).toMatchObject({ name: 'Own Customer' })
})

it('exports the stored dataset without its changes, and writes nothing', async () => {
  const data = await createUsedFolder({ seed: 7 })
  const before = readFiles(data)
  const { code, stdout } = await run(['export', '--data', data])
  expect(code).toBe(0)
  const { dataset } = await openSandbox({ seed: 7 })
  expect(JSON.parse(stdout)).toEqual(dataset.export())
  expect(readFiles(data)).toEqual(before)
})

it('starts with an export, without further options, and exports the same again', async () => {
  const data = temporaryFolder()
  const options = ['--size', '12', '--seed', '7', '--now', '2026-04-01T00:00Z']
  const { stdout } = await run(['export', '--memory', ...options])
  const file = join(folderWith({ 'exported.json': stdout }), 'exported.json')
  for (const args of [['--fixture', file], []]) {
    const server = await listening(begin(['start', '--port', '0', '--json', '--data', data, ...args]))
    const { seed, size, now, fixture } = server
    const made = { seed: 7, size: 12, now: '2026-04-01T00:00:00.000Z', fixture: 'exported' }
    expect({ seed, size, now, fixture }).toEqual(made)
    server.child.kill('SIGTERM')
    await exitCode(server.child)
  }
  expect(await run(['export', '--data', data])).toEqual({ code: 0, stdout, stderr: '' })
})

it.each([
  ['start', 'dataset.json'],
  ['reset', 'dataset.json'],
  ['export', 'dataset.json'],
  ['reset', 'changes.jsonl'],
])('does not %s with a damaged %s, and does not touch it', async (verb, file) => {
  const data = await createUsedFolder()
  writeFileSync(join(data, file), '')
  const before = readFiles(data)
  const fact = `Cannot read ${file} in ${data}: it is empty. Restore it from a copy or `
  const stderr = expect.stringContaining(fact)
  expect(await run([verb, '--data', data])).toEqual({ code: 1, stdout: '', stderr })
  expect(readFiles(data)).toEqual(before)
})

it('says at the start that a line without its end was dropped, and serves the others', async () => {
  const folder = temporaryFolder()
  const { baseUrl, close } = await startSandbox({ size: 'small', port: 0, data: folder })
  for (const content of ['First', 'Second']) await postNote(baseUrl, content)
  await close()
  const path = join(folder, 'changes.jsonl')
  writeFileSync(path, readFileSync(path).subarray(0, -20))
  const child = begin(['start', '--port', '0', '--data', folder])
  const stderr = text(child.stderr)
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect(await stderr).toContain(`The last line of changes.jsonl in ${folder} has no end and was dropped`)
  const again = await startSandbox({ port: 0, data: folder })
  const contents = await noteContents(again.baseUrl)
  await again.close()
  expect([contents.includes('First'), contents.includes('Second')]).toEqual([true, false])
})

it('loads a fixture file that is too large to be sent', async () => {
  const large = { about: 'x'.repeat(17 * 1_048_576), customers: [{ id: 1, name: 'Large' }] }
  const cwd = folderWith({ 'large.json': large })
  const args = ['export', '--memory', '--size', '3', '--fixture', 'large.json']
  const { stdout, ...outcome } = await run(args, { cwd })
  expect(outcome).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout).customers[0].name).toBe('Large')
})
