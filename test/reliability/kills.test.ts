import { expect, it } from 'vitest'

import { exitCode, until } from '../doors/command.ts'
import { temporaryFolder } from '../folders.ts'
import { amount, inLong, milliseconds, quantile, tell } from './figures.ts'
import { Ledger, none } from './ledger.ts'
import { beginProbed, serveProbed } from './server.ts'

/** Which of so many operations the rounds reach, one after the other. */
const operationOf = (round: number, rounds: number, operations: number): number =>
  1 + Math.floor((round * operations) / rounds)

it(
  'keeps what it acknowledged, whole and once, whenever it is killed',
  { timeout: 120_000 },
  async (context) => {
    const folder = temporaryFolder()
    const ledger = new Ledger()
    const starts: number[] = []
    const start = async () => {
      const begun = performance.now()
      const server = await serveProbed(['--size', 'medium'], { disk: { folder } })
      starts.push(performance.now() - begun)
      return server
    }
    const first = await start()
    await ledger.begin(first.baseUrl)
    first.child.kill('SIGKILL')
    const rounds = amount(4, 20)
    for (let round = 0; round < rounds; round += 1) {
      // Under load.
      const loaded = await start()
      const operations = await loaded.order({})
      const before = ledger.acknowledged
      const writing = ledger.writeOn(loaded.baseUrl, 8)
      await until(() => ledger.acknowledged >= before + 10 + 7 * round)
      loaded.child.kill('SIGKILL')
      await writing

      // In the start.
      const killAt = operationOf(round, rounds, operations)
      const place = ['--port', '0', '--json', '--data', folder]
      const starting = beginProbed(['start', ...place], { disk: { folder, killAt } })
      await exitCode(starting)
      expect(starting.signalCode).toBe('SIGKILL')

      // In the shutdown.
      const ending = await start()
      expect(await ledger.damage(ending.baseUrl)).toEqual(none)
      await ledger.write(ending.baseUrl)
      await ending.order({ killAt: operationOf(round, rounds, 8) })
      ending.child.kill('SIGTERM')
      await exitCode(ending.child)
      expect(ending.child.signalCode).toBe('SIGKILL')
    }
    const last = await start()
    expect(await ledger.damage(last.baseUrl)).toEqual(none)

    const figure = `0 of ${ledger.acknowledged} notes in ${3 * rounds} kills`
    tell(context, 'acknowledged writes', '0 lost, torn or doubled in 60 kills', figure)
    // The first of all has a dataset to make.
    const median = quantile(starts.slice(1), 0.5)
    tell(context, 'start after a kill', 'p50 < 300 ms, medium', milliseconds(median))
    expect(median).toBeLessThan(inLong(300))
  },
)
