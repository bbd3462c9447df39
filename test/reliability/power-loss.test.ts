import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { exitCode, listening } from '../doors/command.ts'
import { temporaryFolder } from '../folders.ts'
import { amount, tell } from './figures.ts'
import { afterPowerLoss, beginProbed, type Disk, serveProbed } from './server.ts'
import { type Act, momentsOfActs, over, every, stateAfter, stateOf, upTo } from './writes.ts'

/** What may be there: a state, and what has been done to come to it. */
interface Possible {
  readonly state: string
  readonly done: readonly Act[]
}

/** What is there when these have been done, and no others. */
const possible = async (done: readonly Act[]): Promise<Possible> => ({
  state: await stateAfter(done),
  done,
})

/** How a server ends in the middle of something, and what is then left of its folder. */
const ends = [
  ['a kill', 'acknowledged writes', ({ folder }: Disk) => folder],
  ['a power loss', 'power loss', ({ durable = '' }: Disk) => afterPowerLoss(durable)],
] as const

/** A disk whose server ends again and again. */
function failingDisk(left: (disk: Disk) => string) {
  let disk: Disk = { folder: temporaryFolder(), durable: temporaryFolder() }
  const unsynced = new Set<string>()
  return {
    get disk() {
      return disk
    },
    /** What was put in place before it was durable. */
    unsynced,
    /** Waits for the end of a server, and goes on with what it has left. */
    async end(child: ChildProcess): Promise<void> {
      await exitCode(child)
      const list = join(disk.durable ?? '', 'unsynced')
      if (existsSync(list))
        for (const name of readFileSync(list, 'utf8').trim().split('\n')) unsynced.add(name)
      // Nobody's data is in the lock.
      unsynced.delete('lock.json.tmp')
      disk = { folder: left(disk), durable: temporaryFolder() }
    },
  }
}

const long = { timeout: 120_000 }

it.for(ends)(
  'makes its dataset as if nothing had been, after %s in the first start',
  long,
  async ([, , left]) => {
    const failing = failingDisk(left)
    const { order } = await serveProbed([], { disk: { folder: temporaryFolder() } })
    for (const killAt of every(amount(12, 3), upTo(await order({})))) {
      const { disk } = failing
      const args = ['start', '--port', '0', '--json', '--size', 'small', '--data', disk.folder]
      const child = beginProbed(args, { disk: { ...disk, killAt } })
      // Where something is there already, a start is shorter, and ends later.
      await listening(child).catch(() => undefined)
      child.kill('SIGKILL')
      await failing.end(child)
    }
    const { url } = await serveProbed([], { disk: failing.disk })
    expect(await stateOf(over(url))).toBe(await stateAfter([]))
    expect([...failing.unsynced]).toEqual([])
  },
)

it.for(ends)(
  'is in the state before a write or after it, after %s in the middle of it',
  long,
  async ([end, promise, left], context) => {
    const failing = failingDisk(left)
    let now = [await possible([])]
    const moments = every(amount(8, 1), await momentsOfActs())
    for (const { act, operation: killAt } of moments) {
      const { url, child, order } = await serveProbed([], failing)
      const state = await stateOf(over(url))
      const before = now.find((one) => one.state === state)
      expect(before, `${now.length} states are possible`).toBeDefined()
      const { done = [] } = before ?? {}

      await order({ killAt })
      const answer = await act(over(url)).catch(() => undefined)
      child.kill('SIGKILL')
      await failing.end(child)
      now = [...(answer?.ok ? [] : [{ state, done }]), await possible([...done, act])]
    }
    const { url } = await serveProbed([], failing)
    expect(now.map(({ state }) => state)).toContain(await stateOf(over(url)))
    expect([...failing.unsynced]).toEqual([])
    const promised = promise === 'power loss' ? 'fsync before rename' : 'the state before or after'
    tell(
      context,
      promise,
      promised,
      `so after ${moments.length} times ${end} in a write, fold, reset or reseed`,
    )
  },
)
