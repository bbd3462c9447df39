import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { exitCode, listening } from '../entry-points/command.ts'
import { copyAsKilled, temporaryFolder } from '../folders.ts'
import { chooseAmount, recordFigure } from './figures.ts'
import { restoreDurable, startProbed, type Disk, serveProbed } from './server.ts'
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

/** A possible state, and the writes that lead to it. */
interface Possible {
  readonly state: string
  readonly done: readonly Act[]
}

/** Computes the state after exactly these writes. */
const computePossible = async (done: readonly Act[]): Promise<Possible> => ({
  state: await computeStateAfter(done),
  done,
})

/** Ways in which a server is interrupted, and the folder that is left. */
const ends = [
  ['a kill', 'acknowledged writes', ({ folder }: Disk) => folder],
  ['a power loss', 'power loss', ({ durable = '' }: Disk) => restoreDurable(durable)],
] as const

/** Simulates a disk whose server is interrupted again and again. */
function simulateFailingDisk(left: (disk: Disk) => string, folder = temporaryFolder()) {
  let disk: Disk = { folder, durable: temporaryFolder() }
  const unsynced = new Set<string>()
  return {
    get disk() {
      return disk
    },
    /** Files that were renamed before they were durable. */
    unsynced,
    /** Waits until a server has ended, and continues with the folder that is left. */
    async end(child: ChildProcess): Promise<void> {
      await exitCode(child)
      const list = join(disk.durable ?? '', 'unsynced')
      if (existsSync(list))
        for (const name of readFileSync(list, 'utf8').trim().split('\n')) unsynced.add(name)
      // The lock contains no data.
      for (const name of unsynced) if (name.startsWith('lock.json')) unsynced.delete(name)
      disk = { folder: left(disk), durable: temporaryFolder() }
    },
  }
}

/** The use of a folder before a start: nothing, or writes some of whose lines are superseded. */
const uses: readonly (readonly [string, readonly Act[]])[] = [
  ['the first start', []],
  ['a start with superseded lines', [writeNote, reset, writeNote]],
]

it.for(uses.flatMap(([use, done]) => ends.map(([end, , left]) => [use, end, done, left] as const)))(
  'starts as usual after %s was interrupted again and again by %s',
  async ([, , done, left]) => {
    const used: Disk = { folder: temporaryFolder(), durable: temporaryFolder() }
    if (done.length > 0) {
      const { url, child } = await serveProbed([], { disk: used })
      for (const act of done) await act(createSend(url))
      child.kill('SIGKILL')
      await exitCode(child)
    }
    const { order, child: counted } = await serveProbed([], { disk: { folder: copyAsKilled(used.folder) } })
    const operations = takeEvery(chooseAmount(6, 2), listUpTo(await order({})))
    counted.kill('SIGKILL')
    const failing = simulateFailingDisk(left, copyAsKilled(used.folder))
    for (const killAt of operations) {
      const { disk } = failing
      const args = ['start', '--port', '0', '--json', '--size', 'small', '--data', disk.folder]
      const child = startProbed(args, { disk: { ...disk, killAt } })
      // With existing files, a start has fewer operations and may succeed.
      await listening(child).catch(() => undefined)
      child.kill('SIGKILL')
      await failing.end(child)
    }
    const { url } = await serveProbed([], { disk: failing.disk })
    expect(await hashState(createSend(url))).toBe(await computeStateAfter(done))
    expect([...failing.unsynced]).toEqual([])
  },
)

it.for(ends)(
  'has the state before or after the first write of a start, which drops superseded lines, if %s interrupts it',
  async ([, , left]) => {
    const done = [writeNote, reset, writeNote]
    const used: Disk = { folder: temporaryFolder() }
    const { url, child } = await serveProbed([], { disk: used })
    for (const act of done) await act(createSend(url))
    child.kill('SIGKILL')
    await exitCode(child)
    const counted = await serveProbed([], { disk: { folder: copyAsKilled(used.folder) } })
    await counted.order({})
    await writeNote(createSend(counted.url))
    const operations = await counted.order({})
    expect(operations).toBeGreaterThan(6)
    const possible = [await computeStateAfter(done), await computeStateAfter([...done, writeNote])]
    for (const killAt of takeEvery(chooseAmount(3, 1), listUpTo(operations))) {
      const failing = simulateFailingDisk(left, copyAsKilled(used.folder))
      const server = await serveProbed([], failing)
      await server.order({ killAt })
      const answer = await writeNote(createSend(server.url)).catch(() => undefined)
      server.child.kill('SIGKILL')
      await failing.end(server.child)
      const next = await serveProbed([], failing)
      const state = await hashState(createSend(next.url))
      expect(answer?.ok ? possible.slice(1) : possible, `at operation ${killAt}`).toContain(state)
      expect([...failing.unsynced]).toEqual([])
    }
  },
)

/** Returns the moments in another order for each round. */
const reorder = <T>(moments: readonly T[], round: number): T[] =>
  moments
    .map((moment, at) => ({ moment, place: (at * (1 + 37 * round)) % 1_009 }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ moment }) => moment)

it.for(ends)(
  'has the state before or after a write that was interrupted by %s',
  { timeout: 1_800_000 },
  async ([end, promise, left], context) => {
    const moments = takeEvery(chooseAmount(12, 1), await listMoments())
    const rounds = chooseAmount(1, 9)
    for (let round = 0; round < rounds; round += 1) {
      const failing = simulateFailingDisk(left)
      let now = [await computePossible([])]
      for (const { act, operation: killAt } of reorder(moments, round)) {
        const { url, child, order } = await serveProbed([], failing)
        const state = await hashState(createSend(url))
        const before = now.find((one) => one.state === state)
        expect(before, `${now.length} states are possible`).toBeDefined()
        const { done = [] } = before ?? {}

        await order({ killAt })
        const answer = await act(createSend(url)).catch(() => undefined)
        child.kill('SIGKILL')
        await failing.end(child)
        now = [...(answer?.ok ? [] : [{ state, done }]), await computePossible([...done, act])]
      }
      const { url } = await serveProbed([], failing)
      expect(now.map(({ state }) => state)).toContain(await hashState(createSend(url)))
      expect([...failing.unsynced]).toEqual([])
    }
    const promised = promise === 'power loss' ? 'fsync before rename' : 'the state before or after'
    recordFigure(
      context,
      promise,
      promised,
      `true after ${rounds * moments.length} times ${end} in a write, move of the clock, restore, reset or reseed`,
    )
  },
)
