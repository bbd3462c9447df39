import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { begin, exitCode, serve, until } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'
import { chooseAmount, expectBelow, formatMilliseconds, limitAtFullScale, quantile } from './figures.ts'
import { Ledger, none } from './ledger.ts'

it('keeps every acknowledged write whole and once, whenever it is killed', async (context) => {
  const folder = temporaryFolder()
  const ledger = new Ledger()
  const starts: number[] = []
  const start = async () => {
    const begun = performance.now()
    const server = await serve(['--size', chooseAmount('small', 'medium'), '--data', folder])
    starts.push(performance.now() - begun)
    return server
  }
  const first = await start()
  await ledger.begin(first.baseUrl)
  first.child.kill('SIGKILL')
  const rounds = chooseAmount(2, 20)
  for (let round = 0; round < rounds; round += 1) {
    // Kill it under load.
    const loaded = await start()
    const before = ledger.acknowledged
    const writing = ledger.writeOn(loaded.baseUrl, 8)
    await until(() => ledger.acknowledged >= before + 10 + 7 * round)
    loaded.child.kill('SIGKILL')
    await writing

    // Kill it while it starts: once it has the lock.
    rmSync(join(folder, 'lock.json'))
    const starting = begin(['start', '--port', '0', '--data', folder])
    await until(() => existsSync(join(folder, 'lock.json')))
    starting.kill('SIGKILL')
    await exitCode(starting)

    // Kill it while it shuts down.
    const ending = await start()
    expect(await ledger.damage(ending.baseUrl)).toEqual(none)
    await ledger.write(ending.baseUrl)
    ending.child.kill('SIGTERM')
    ending.child.kill('SIGKILL')
    await exitCode(ending.child)
  }
  const last = await start()
  expect(await ledger.damage(last.baseUrl)).toEqual(none)

  await context.annotate(`${ledger.acknowledged} notes, ${3 * rounds} kills`)
  // The first start also generates the dataset.
  const median = quantile(starts.slice(1), 0.5)
  await expectBelow(context, 'median start', median, limitAtFullScale(300), formatMilliseconds)
})
