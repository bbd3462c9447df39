import { expect, it } from 'vitest'

import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { copyAsKilled, openStorage, temporaryFolder } from '../folders.ts'
import { digest, digestStored, play } from './calls.ts'

/** Expects that calls of every kind have succeeded. */
function expectBusy(done: Readonly<Record<string, number>>): void {
  expect(Object.keys(done).filter((kind) => !kind.startsWith('GET'))).toHaveLength(11)
}

it('is byte-identical to its initial state after a reset, or a reseed and back, whatever thousands of calls did', async () => {
  // From another sandbox, so that only the calls fill the caches of this one.
  const before = await digest(await openSandbox({ size: 3 }))
  const sandbox = await openSandbox({ size: 3 })
  expectBusy(await play(sandbox))
  expect(await sandbox.data.changes()).not.toEqual([])
  await sandbox.reset()
  expect(await digest(sandbox)).toBe(before)
  await play(sandbox)
  await sandbox.reseed({ seed: 43 })
  await sandbox.reseed({ seed: 42 })
  expect(await digest(sandbox)).toBe(before)
})

it('is byte-identical after it was killed, and to its initial state after another reset', async () => {
  const folder = temporaryFolder()
  const sandbox = await openSandbox({ size: 3 }, { storage: await openStorage(folder) })
  const before = await digestStored(sandbox)
  await play(sandbox)
  sandbox.faults.clear()
  const played = await digestStored(sandbox)
  expect(played).not.toBe(before)

  const again = await openSandbox({}, { storage: await openStorage(copyAsKilled(folder)) })
  expect(await digestStored(again)).toBe(played)
  await again.reset()
  expect(await digestStored(again)).toBe(before)
  await Promise.all([sandbox.close(), again.close()])
})

it('repeats the same calls with the same results after a reset, in any session', async () => {
  const sandbox = await openSandbox({ size: 3 })
  const session = sandbox.session({ id: 'again' })
  const before = await digest(sandbox, session)
  const played = async () => {
    await session.reset()
    const done = await play(session)
    for (const name of ['s1', 's2', 's3', 's4']) {
      await session.fetch(new Request(`http://sandbox/_sandbox/sessions/${name}`, { method: 'DELETE' }))
    }
    // The journal contains real times.
    session.requests.clear()
    session.faults.clear()
    return { done, after: await digest(sandbox, session) }
  }
  expect(await played()).toEqual(await played())
  await session.reset()
  expect(await digest(sandbox, session)).toBe(before)
})
