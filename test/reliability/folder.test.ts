import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { begin, exitCode, listening, serve } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'
import { chooseAmount, expectBelow, formatMilliseconds, limitAtFullScale } from './figures.ts'

/** Locks that a killed server may leave: its own, or one that a power loss has emptied. */
const locks: readonly (readonly [description: string, change: (lock: string) => string])[] = [
  ['of a server that was killed', (lock) => lock],
  ['that is empty', () => ''],
]

it.for(locks)(
  'lets exactly one of three servers that start at once take a folder with a lock %s',
  async ([, change], context) => {
    const data = temporaryFolder()
    const lock = join(data, 'lock.json')
    const times: number[] = []
    const rounds = chooseAmount(1, 3)
    for (let round = 0; round < rounds; round += 1) {
      const killed = await serve(['--data', data])
      killed.child.kill('SIGKILL')
      await exitCode(killed.child)
      writeFileSync(lock, change(readFileSync(lock, 'utf8')))

      const servers = [1, 2, 3].map(() => begin(['--port', '0', '--json', '--data', data]))
      const begun = performance.now()
      const started = await Promise.all(
        servers.map((child) =>
          listening(child).then(
            () => child,
            (error: Error) => {
              times.push(performance.now() - begun)
              expect(error.message).toMatch(/^the server ended with 1: .*the server with pid \d+ is using it/)
              return undefined
            },
          ),
        ),
      )
      const winners = started.filter((child) => child !== undefined)
      expect(winners).toHaveLength(1)
      winners[0]?.kill('SIGTERM')
      for (const child of servers) await exitCode(child)
    }
    expect(readdirSync(data).toSorted()).toEqual(['changes.jsonl', 'dataset.json'])
    const bound = limitAtFullScale(2_000)
    await expectBelow(context, 'slowest refusal', Math.max(...times), bound, formatMilliseconds)
  },
)
