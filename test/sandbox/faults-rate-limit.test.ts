import { expect, it, onTestFinished, vi } from 'vitest'

import type { DatasetOptions } from '../../src/index.ts'
import { as, openSandbox } from '../support.ts'

/** Opens a session with a limit of one request in 30 seconds, and fake real time. */
async function openLimited(options: DatasetOptions = {}) {
  const session = (await openSandbox(options)).session()
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  session.faults.add({ rateLimit: { requests: 1, windowSeconds: 30 } })
  const mara = as(session, 'mara')
  /** Sends a request. Returns the status, and how long to wait. */
  const send = async () => {
    const { status, headers } = await mara.send('/members/me')
    return { status, retryAfter: headers.get('retry-after'), reset: headers.get('ratelimit-reset') }
  }
  return { session, send, pass: (seconds: number) => void vi.advanceTimersByTime(seconds * 1_000) }
}

const passed = { status: 200, retryAfter: null, reset: '30' }
const limited = (seconds: number) => ({ status: 429, retryAfter: `${seconds}`, reset: `${seconds}` })

it('a rate limit responds with 429 and Retry-After, and reports the remaining requests before', async () => {
  const { session } = await openLimited()
  const mara = as(session, 'mara')
  const { headers } = await mara.send('/members/me')
  expect(headers.get('ratelimit')).toBe('"sandbox";r=0;t=30')
  expect(headers.get('ratelimit-policy')).toBe('"sandbox";q=1;w=30')
  expect(headers.has('sandbox-fault')).toBe(false)
  expect(headers.get('access-control-expose-headers')).toContain('ratelimit-remaining')
  const limitedResponse = await mara.send('/members/me')
  expect(limitedResponse.headers.get('retry-after')).toBe('30')
  expect(limitedResponse.headers.get('sandbox-fault')).toBe('fault-1')
})

it('Retry-After is the real time that is left', async () => {
  const { send, pass } = await openLimited()
  expect(await send()).toEqual(passed)
  expect(await send()).toEqual(limited(30))
  pass(12)
  expect(await send()).toEqual(limited(18))
  pass(17.5)
  expect(await send()).toEqual(limited(1))
  pass(0.5)
  expect(await send()).toEqual(passed)
  expect(await send(), 'in the next window').toEqual(limited(30))
})

it('Retry-After is right for a client that waits and for one that advances the clock, in any order', async () => {
  const waiting = await openLimited()
  await waiting.send()
  waiting.session.clock.advance('PT20S')
  expect(await waiting.send()).toEqual(limited(10))
  waiting.pass(10)
  expect(await waiting.send()).toEqual(passed)
  waiting.pass(20)
  expect(await waiting.send()).toEqual(limited(10))
  waiting.session.clock.advance('PT10S')
  expect(await waiting.send()).toEqual(passed)
})

it('time counts once if the clock of the session runs', async () => {
  const { send, pass, session } = await openLimited({ now: 'system' })
  expect(await send()).toEqual(passed)
  pass(20)
  expect(await send()).toEqual(limited(10))
  pass(10)
  expect(await send()).toEqual(passed)
  session.clock.advance('PT25S')
  pass(4)
  expect(await send()).toEqual(limited(1))
  pass(1)
  expect(await send()).toEqual(passed)
})
