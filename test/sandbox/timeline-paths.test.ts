import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { createSandbox, type SessionHandle } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'

const options = { size: 25, future: 'living' } as const
const startMs = Date.parse('2026-01-15T12:00:00.000Z')
const at = (day: number): string => new Date(startMs + day * 86_400_000).toISOString()

/** Reports what happens between two days, and what a move of the clock from one to the other changes. */
async function report(session: SessionHandle, from: number, to: number) {
  const now = session.clock.now()
  const events = await session.clock.events({ from: at(from), to: at(to) })
  session.clock.set(at(from))
  const moved = session.clock.advance(`P${to - from}D`)
  const list = await session.data.changes({ since: at(from), by: 'clock' })
  session.clock.set(now)
  return JSON.stringify({ list, moved, days: events.items })
}

it('reports the same for two instants, wherever the clock has been', async () => {
  const day = fc.integer({ min: 0, max: 30 })
  const sandbox = await createSandbox(options)
  await fc.assert(
    fc.asyncProperty(fc.array(day, { maxLength: 4 }), day, day, async (path, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const fresh = await createSandbox(options)
      const expected = await report(fresh.session(), from, to)
      const session = sandbox.session()
      for (const stop of path) session.clock.set(at(stop))
      expect(await report(session, from, to)).toBe(expected)
      const restored = sandbox.session()
      await restored.restoreState(await session.saveState())
      expect(await report(restored, from, to)).toBe(expected)
    }),
    { seed: 42, numRuns: chooseAmount(1, 5) },
  )
})
