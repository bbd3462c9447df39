import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { codeOf } from '../../src/store/disk.ts'
import { exitCode, listening, run, serve } from '../doors/command.ts'
import { asKilled, contentOf, smallDisk, temporaryFolder } from '../folders.ts'
import { amount, inLong, milliseconds, tell } from './figures.ts'
import { Ledger, none } from './ledger.ts'
import { beginProbed, serveProbed } from './server.ts'
import { type Act, momentsOfActs, over, every, stateAfter, stateOf, upTo, writeNote } from './writes.ts'

const long = { timeout: 120_000 }

/** How a disk fails, what a write is then answered, and whether the disk goes on failing until it is mended. */
const faults = [
  ['EIO', 503, false],
  ['EIO', 503, true],
  ['ENOSPC', 507, true],
] as const

it.for(faults)(
  'keeps nothing of a write that meets %s, says %i, goes on reading, and writes again (lasting: %s)',
  long,
  async ([code, status, lasts], context) => {
    const disk = { folder: temporaryFolder() }
    const moments = every(
      amount(4, 1),
      (await momentsOfActs()).filter(({ operation }) => operation < Infinity),
    )
    const { url, child, order } = await serveProbed([], { disk })
    const done: Act[] = []
    const refusals: string[] = []
    for (const { act, operation } of moments) {
      await order({ failAt: operation, code, lasts })
      const answer = await act(over(url))
      if (answer.ok) done.push(act)
      else refusals.push(`${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`)
      expect(await stateOf(over(url))).toBe(await stateAfter(done))
      await order({})
      expect((await writeNote(over(url))).status).toBe(200)
      done.push(writeNote)
    }
    // Nor is anything of it there after a restart, though it be the sync that has failed.
    await order({ failAt: 2, code })
    expect((await writeNote(over(url))).status).toBe(status)
    child.kill('SIGKILL')
    await exitCode(child)
    const next = await serveProbed([], { disk })
    expect(await stateOf(over(next.url))).toBe(await stateAfter(done))
    expect(refusals.length).toBeGreaterThan(0)
    const sound = new RegExp(`^${status} application/problem\\+json (?!.*${disk.folder})`)
    expect(refusals.filter((text) => !sound.test(text))).toEqual([])
    const figure = `${refusals.length} of ${moments.length} refused with ${status} on ${code}, 0 in half`
    tell(context, 'disk fault', '507 or 503, not shown, reads, recovers', figure)
  },
)

/** What a command says that does not go on because of a file or a folder: one line that tells which. */
const refusal = (name: string): RegExp => new RegExp(`^Cannot (?!go on)[^\\n]*${name}[^\\n]*\\.\\n$`)

/** A folder that a server has had: with nothing in it, or with a note. */
async function leftFolder(done: readonly Act[]): Promise<string> {
  const folder = temporaryFolder()
  const server = await serveProbed([], { disk: { folder } })
  for (const act of done) await act(over(server.url))
  server.child.kill('SIGKILL')
  await exitCode(server.child)
  return folder
}

it.for([
  ['an empty folder', () => temporaryFolder(), []],
  ['a folder of before', async () => leftFolder([writeNote]), [writeNote]],
] as const)(
  'starts over %s with nothing missing, or says which file the disk refuses',
  long,
  async ([, make, done]) => {
    const kept = await make()
    const { order, child } = await serveProbed([], { disk: { folder: asKilled(kept) } })
    const operations = await order({})
    child.kill('SIGKILL')
    const refusals: string[] = []
    for (const failAt of every(amount(7, 3), upTo(operations))) {
      const folder = asKilled(kept)
      const args = ['start', '--port', '0', '--json', '--size', 'small', '--data', folder]
      const failing = beginProbed(args, { disk: { folder, failAt, code: 'EIO', lasts: true } })
      // It may do without what has failed.
      await listening(failing).catch((error: Error) => refusals.push(error.message))
      failing.kill('SIGKILL')
      await exitCode(failing)
      const { url, child: next } = await serveProbed([], { disk: { folder } })
      expect(await stateOf(over(url))).toBe(await stateAfter(done))
      next.kill('SIGKILL')
    }
    expect(refusals.length).toBeGreaterThan(1)
    const sound = /^the server ended with 1: Cannot (?!go on)[^\n]*(?:json|log|folder|disk)[^\n]*\.\n$/
    expect(refusals.filter((text) => !sound.test(text))).toEqual([])
  },
)

it.for(['seeded.json', 'changes.json'])(
  'refuses a damaged %s by name, and does not touch it',
  long,
  async (name, context) => {
    const folder = await leftFolder([writeNote])
    // Folds the note into changes.json.
    const { child } = await serve(['--data', folder])
    child.kill('SIGTERM')
    await exitCode(child)
    const whole = readFileSync(join(folder, name))
    const half = Math.floor(whole.length / 2)
    const damages = [
      Buffer.alloc(0),
      Buffer.alloc(whole.length),
      whole.subarray(0, half),
      Buffer.from(whole).fill(0, half),
      Buffer.from('{"name":"something else"}'),
    ]
    const times: number[] = []
    for (const damage of damages) {
      writeFileSync(join(folder, name), damage)
      const before = contentOf(folder)
      const begun = performance.now()
      const { code, stdout, stderr } = await run(['start', '--port', '0', '--data', folder])
      times.push(performance.now() - begun)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(refusal(name))
      expect(contentOf(folder)).toEqual(before)
    }
    const slowest = Math.max(...times)
    tell(context, 'disk fault', 'refused at the start in < 2 s, by name', milliseconds(slowest))
    expect(slowest).toBeLessThan(inLong(2_000))
  },
)

it('says so where the disk is too small for a dataset, and starts once it is not', async (context) => {
  const disk = smallDisk(context, 256)
  const { code, stderr } = await run(['start', '--port', '0', '--data', disk])
  expect(code).toBe(1)
  expect(stderr).toMatch(refusal('seeded.json'))
  expect(stderr).toContain('the disk is full')
  const { url } = await serve(['--size', '3', '--data', disk])
  expect((await fetch(`${url}/health`)).status).toBe(200)
})

it('answers 507 while the disk is full, and 200 again once there is room', async (context) => {
  const disk = smallDisk(context, 2_048)
  const server = await serveProbed([], { disk: { folder: disk } })
  const ledger = new Ledger()
  await ledger.begin(server.baseUrl)
  const rounds = amount(3, 10)
  for (let round = 0; round < rounds; round += 1) {
    fill(join(disk, 'ballast'))
    await expect(ledger.writeUntilRefused(server.baseUrl)).rejects.toThrow(/^507: .*"code":"storage_full"/)
    expect(await ledger.damage(server.baseUrl)).toEqual(none)
    rmSync(join(disk, 'ballast'))
    await ledger.write(server.baseUrl)
  }
  server.child.kill('SIGKILL')
  await exitCode(server.child)
  const next = await serveProbed([], { disk: { folder: disk } })
  expect(await ledger.damage(next.baseUrl)).toEqual(none)
  tell(context, 'disk fault', '507 on a full disk, then 200', `${rounds} times full, ${rounds} times mended`)
})

/** Writes into a file until the disk is full. */
function fill(path: string): void {
  const part = Buffer.alloc(1_024)
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, part)
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
