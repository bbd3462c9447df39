import { expect, it } from 'vitest'

import { exitCode, until } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'
import { chooseAmount, limitAtFullScale, formatMilliseconds, quantile, recordFigure } from './figures.ts'
import { Ledger, none } from './ledger.ts'
import { startProbed, serveProbed } from './server.ts'

/** Chooses an operation for a round, so that all rounds are spread over all operations. */
const chooseOperation = (round: number, rounds: number, operations: number): number =>
  1 + Math.floor((round * operations) / rounds)

it('keeps every acknowledged write whole and once, whenever it is killed', async (context) => {
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
  const rounds = chooseAmount(4, 20)
  for (let round = 0; round < rounds; round += 1) {
    // Kill it under load.
    const loaded = await start()
    const operations = await loaded.order({})
    const before = ledger.acknowledged
    const writing = ledger.writeOn(loaded.baseUrl, 8)
    await until(() => ledger.acknowledged >= before + 10 + 7 * round)
    loaded.child.kill('SIGKILL')
    await writing

    // Kill it while it starts.
    const killAt = chooseOperation(round, rounds, operations)
    const place = ['--port', '0', '--json', '--data', folder]
    const starting = startProbed(['start', ...place], { disk: { folder, killAt } })
    await exitCode(starting)
    expect(starting.signalCode).toBe('SIGKILL')

    // Kill it while it shuts down.
    const ending = await start()
    expect(await ledger.damage(ending.baseUrl)).toEqual(none)
    await ledger.write(ending.baseUrl)
    // The removal of the lock.
    await ending.order({ killAt: 1 })
    ending.child.kill('SIGTERM')
    await exitCode(ending.child)
    expect(ending.child.signalCode).toBe('SIGKILL')
  }
  const last = await start()
  expect(await ledger.damage(last.baseUrl)).toEqual(none)

  const figure = `0 of ${ledger.acknowledged} notes in ${3 * rounds} kills`
  recordFigure(context, 'acknowledged writes', '0 lost, torn or doubled in 60 kills', figure)
  // The first start also generates the dataset.
  const median = quantile(starts.slice(1), 0.5)
  recordFigure(context, 'start after a kill', 'p50 < 300 ms, medium', formatMilliseconds(median))
  expect(median).toBeLessThan(limitAtFullScale(300))
})
