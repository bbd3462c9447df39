import { expect, it, onTestFinished, vi } from 'vitest'

import type { Sandbox } from '../../src/index.ts'
import { openSandbox as open } from '../../src/sandbox/sandbox.ts'
import { openStorage, temporaryFolder } from '../folders.ts'
import { as, crawl } from '../support.ts'

/** Reads every record that the default caller sees. */
const readAll = (at: Pick<Sandbox, 'fetch'>) => crawl(as(at, 'mara'))

it('shows the same bytes after reset, fork, snapshot, reseed and restart, with time moved', async () => {
  const folder = temporaryFolder()
  const start = async (options = {}) => open(options, { storage: await openStorage(folder) })
  const first = await start({ size: 4, future: 'living' })
  first.clock.advance('P50D')
  const expected = await readAll(first)
  const present = await readAll(first.session())
  expect(present).not.toEqual(expected)

  const fork = first.session()
  fork.clock.advance('P50D')
  const snapshot = fork.snapshot()
  expect(await readAll(first.session({ from: fork.id }))).toEqual(expected)
  fork.clock.advance('P50D')
  expect(await readAll(fork)).not.toEqual(expected)
  fork.restore(snapshot)
  expect(await readAll(fork)).toEqual(expected)

  await first.reset()
  expect(await readAll(first)).toEqual(present)
  first.clock.advance('P50D')
  expect(await readAll(first)).toEqual(expected)

  await first.reseed({ seed: 7 })
  await first.reseed({ seed: 42 })
  first.clock.advance('P20D')
  first.clock.advance('P30D')
  expect(await readAll(first)).toEqual(expected)

  await first.close()
  expect(await readAll(await start())).toEqual(expected)
})

it('goes on after a restart where a faster clock would be by then', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-01T00:00:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const folder = temporaryFolder()
  const start = async (options = {}) => open(options, { storage: await openStorage(folder), clockRate: 60 })
  const first = await start({ size: 4, now: 'system', future: 'living' })
  vi.setSystemTime(new Date('2027-01-01T12:00:00.000Z'))
  expect(first.clock.now()).toBe('2027-01-31T00:00:00.000Z')
  const expected = await readAll(first)
  await first.close()
  const second = await start()
  expect(second.clock.now()).toBe('2027-01-31T00:00:00.000Z')
  expect(await readAll(second)).toEqual(expected)
  second.clock.advance('P10D')
  await second.close()
  const third = await start()
  expect(third.clock.now()).toBe('2027-02-10T00:00:00.000Z')
  vi.setSystemTime(new Date('2027-01-01T12:01:00.000Z'))
  expect(third.clock.now()).toBe('2027-02-10T01:00:00.000Z')
})
