import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { errorCode } from '../../src/store/disk/storage-errors.ts'
import { exitCode, listening, runAlone, serve } from '../entry-points/command.ts'
import { copyAsKilled, readFiles, mountDisk, temporaryFolder } from '../folders.ts'
import { chooseAmount, limitAtFullScale, formatMilliseconds, recordFigure } from './figures.ts'
import { Ledger, none } from './ledger.ts'
import { startProbed, serveProbed } from './server.ts'
import {
  type Act,
  listMoments,
  createSend,
  takeEvery,
  computeStateAfter,
  hashState,
  listUpTo,
  reset,
  writeNote,
} from './writes.ts'

/** The error of the disk, the status of a failed write, and whether the error lasts until it is repaired. */
const faults = [
  ['EIO', 503, false],
  ['EIO', 503, true],
  ['ENOSPC', 507, true],
] as const

it.for(faults)(
  'stores nothing of a write that fails with %s, returns %i, still serves reads, and recovers (lasting: %s)',
  async ([code, status, lasts], context) => {
    const disk = { folder: temporaryFolder() }
    const moments = takeEvery(
      chooseAmount(8, 1),
      (await listMoments()).filter(({ operation }) => operation < Infinity),
    )
    const { url, child, order } = await serveProbed([], { disk })
    const done: Act[] = []
    const refusals: string[] = []
    for (const { act, operation } of moments) {
      await order({ failAt: operation, code, lasts })
      const answer = await act(createSend(url))
      if (answer.ok) done.push(act)
      else refusals.push(`${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`)
      expect(await hashState(createSend(url))).toBe(await computeStateAfter(done))
      await order({})
      expect((await writeNote(createSend(url))).status).toBe(200)
      done.push(writeNote)
    }
    // Nothing of it is there after a restart either, even if only the sync has failed.
    await order({ failAt: 2, code: 'EIO' })
    expect((await writeNote(createSend(url))).status).toBe(503)
    child.kill('SIGKILL')
    await exitCode(child)
    const next = await serveProbed([], { disk })
    expect(await hashState(createSend(next.url))).toBe(await computeStateAfter(done))
    expect(refusals.length).toBeGreaterThan(0)
    const sound = new RegExp(`^${status} application/problem\\+json (?!.*${disk.folder})`)
    expect(refusals.filter((text) => !sound.test(text))).toEqual([])
    const figure = `${refusals.length} of ${moments.length} refused with ${status} on ${code}, 0 in half`
    recordFigure(context, 'disk fault', '507 or 503, not shown, reads, recovers', figure)
  },
)

/** Matches the error of a command that cannot use a file or folder: a single line that names it. */
const refusal = (name: string): RegExp => new RegExp(`^Cannot (?!go on)[^\\n]*${name}[^\\n]*\\.\\n$`)

/** Creates a folder that a killed server leaves after some writes. */
async function createUsedFolder(done: readonly Act[]): Promise<string> {
  const folder = temporaryFolder()
  const server = await serveProbed([], { disk: { folder } })
  for (const act of done) await act(createSend(server.url))
  server.child.kill('SIGKILL')
  await exitCode(server.child)
  return folder
}

it.for([
  ['an empty folder', () => temporaryFolder(), []],
  ['a used folder', async () => createUsedFolder([writeNote]), [writeNote]],
  [
    'a folder with superseded lines',
    async () => createUsedFolder([writeNote, reset, writeNote]),
    [reset, writeNote],
  ],
] as const)(
  'starts on %s without losing any data, or else names the file that has failed',
  async ([, make, done]) => {
    const kept = await make()
    const { order, child } = await serveProbed([], { disk: { folder: copyAsKilled(kept) } })
    const operations = await order({})
    child.kill('SIGKILL')
    const refusals: string[] = []
    for (const failAt of takeEvery(chooseAmount(12, 3), listUpTo(operations))) {
      const folder = copyAsKilled(kept)
      const args = ['start', '--port', '0', '--json', '--size', 'small', '--data', folder]
      const failing = startProbed(args, { disk: { folder, failAt, code: 'EIO', lasts: true } })
      // The server may start without the operation that failed.
      await listening(failing).catch((error: Error) => refusals.push(error.message))
      failing.kill('SIGKILL')
      await exitCode(failing)
      const { url, child: next } = await serveProbed([], { disk: { folder } })
      expect(await hashState(createSend(url))).toBe(await computeStateAfter(done))
      next.kill('SIGKILL')
    }
    expect(refusals.length).toBeGreaterThan(0)
    const sound = /^the server ended with 1: Cannot (?!go on)[^\n]*(?:json|folder|disk)[^\n]*\.\n$/
    expect(refusals.filter((text) => !sound.test(text))).toEqual([])
  },
)

it.for(['dataset.json', 'changes.jsonl'])(
  'refuses to start with a damaged %s, names it and leaves it untouched',
  async (name, context) => {
    const folder = await createUsedFolder([writeNote, writeNote])
    rmSync(join(folder, 'lock.json'))
    const whole = readFileSync(join(folder, name))
    const half = Math.floor(whole.length / 2)
    const damages = [
      Buffer.alloc(0),
      Buffer.alloc(whole.length),
      Buffer.from(whole).fill(0, half, half + 9),
      Buffer.from('{"name":"something else"}\n'),
      // A file of lines may end anywhere.
      ...(name === 'dataset.json' ? [whole.subarray(0, half)] : []),
    ]
    const times: number[] = []
    for (const damage of takeEvery(chooseAmount(2, 1), damages)) {
      writeFileSync(join(folder, name), damage)
      const before = readFiles(folder)
      const begun = performance.now()
      const { code, stdout, stderr } = await runAlone(['start', '--port', '0', '--data', folder])
      times.push(performance.now() - begun)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(refusal(name))
      expect(readFiles(folder)).toEqual(before)
    }
    const slowest = Math.max(...times)
    recordFigure(context, 'disk fault', 'refused at the start in < 2 s, by name', formatMilliseconds(slowest))
    expect(slowest).toBeLessThan(limitAtFullScale(2_000))
  },
)

it('reports a disk that is full at the start, and starts once there is room', async (context) => {
  const disk = mountDisk(context, 256)
  fill(join(disk, 'ballast'))
  const { code, stderr } = await runAlone(['start', '--port', '0', '--data', disk])
  expect(code).toBe(1)
  expect(stderr).toMatch(refusal('lock.json'))
  expect(stderr).toContain('the disk is full')
  rmSync(join(disk, 'ballast'))
  const { url } = await serve(['--size', '3', '--data', disk])
  expect((await fetch(`${url}/health`)).status).toBe(200)
})

it('returns 507 while the disk is full, and 200 once there is room', async (context) => {
  const disk = mountDisk(context, 2_048)
  const server = await serveProbed([], { disk: { folder: disk } })
  const ledger = new Ledger()
  await ledger.begin(server.baseUrl)
  const rounds = chooseAmount(3, 10)
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
  recordFigure(
    context,
    'disk fault',
    '507 on a full disk, then 200',
    `${rounds} times full, ${rounds} times mended`,
  )
})

/** Writes into a file until the disk is full. */
function fill(path: string): void {
  const part = Buffer.alloc(1_024)
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, part)
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
