import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { begin, exitCode, listening, serve } from '../doors/command.ts'
import { temporaryFolder } from '../folders.ts'
import { amount, inLong, milliseconds, quantile, tell } from './figures.ts'

/** What a killed server leaves in its folder: its lock, or what a power loss has made of it. */
const locks: readonly (readonly [what: string, change: (lock: string) => string])[] = [
  ['of a server that was killed', (lock) => lock],
  ['that is empty', () => ''],
  ['that breaks off', (lock) => lock.slice(0, 8)],
  ['of NUL bytes', (lock) => '\0'.repeat(lock.length)],
  // This process runs, but not since then; on other systems nobody can tell.
  ['whose pid another process has been given', (lock) => lock.replace(/"pid":\d+/, `"pid":${process.pid}`)],
]

it.for(locks)(
  'gives a folder with a lock %s to exactly one of three servers that start at once',
  { timeout: 60_000 },
  async ([, change], context) => {
    const data = temporaryFolder()
    const lock = join(data, 'lock.json')
    const times: number[] = []
    const rounds = amount(1, 3)
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
    expect(readdirSync(data).toSorted()).toEqual(['changes.json', 'changes.log', 'seeded.json'])
    const slowest = quantile(times, 1)
    tell(
      context,
      'one folder',
      '3 starts at once: exactly 1, others refused in < 2 s',
      `${rounds} of ${rounds}, ${milliseconds(slowest)}`,
    )
    expect(slowest).toBeLessThan(inLong(2_000))
  },
)
