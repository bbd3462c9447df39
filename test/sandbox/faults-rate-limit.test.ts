import { expect, onTestFinished, test, vi } from 'vitest'

import type { DatasetOptions } from '../../src/index.ts'
import { as, openSandbox, posted, tokens } from '../support.ts'
import { serve } from './control-support.ts'

/** A session with a limit of one request in 30 seconds, and real time that passes only when the test says so. */
async function limited(options: DatasetOptions = {}) {
  const session = (await openSandbox(options)).session()
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  session.faults.add({ rateLimit: { requests: 1, windowSeconds: 30 } })
  const mara = as(session, 'mara')
  /** The status of one more request, and how long it is asked to wait. */
  const ask = async () => {
    const { status, headers } = await mara.send('/members/me')
    return { status, retryAfter: headers.get('retry-after'), reset: headers.get('ratelimit-reset') }
  }
  return { session, ask, pass: (seconds: number) => void vi.advanceTimersByTime(seconds * 1_000) }
}

const passed = { status: 200, retryAfter: null, reset: '30' }
const refused = (seconds: number) => ({
  status: 429,
  retryAfter: String(seconds),
  reset: String(seconds),
})

test('a client that honours Retry-After gets through although the clock stands', async () => {
  const { url, baseUrl } = await serve()
  const fault = { rateLimit: { requests: 2, windowSeconds: 1 } }
  expect((await fetch(`${url}/_sandbox/faults`, posted(fault))).status).toBe(200)
  const headers = { authorization: `Bearer ${tokens.mara}` }
  const ask = async () => {
    const response = await fetch(`${baseUrl}/members/me`, { headers })
    await response.arrayBuffer()
    return response
  }
  let answer = await ask()
  for (let count = 0; answer.status === 200 && count < 100; count += 1) answer = await ask()
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('1')
  await expect.poll(async () => (await ask()).status, { timeout: 10_000, interval: 100 }).toBe(200)
})

test('Retry-After says how much real time is left, and no more', async () => {
  const { ask, pass } = await limited()
  expect(await ask()).toEqual(passed)
  expect(await ask()).toEqual(refused(30))
  pass(12)
  expect(await ask()).toEqual(refused(18))
  pass(17.5)
  expect(await ask()).toEqual(refused(1))
  pass(0.5)
  expect(await ask()).toEqual(passed)
  expect(await ask(), 'in the next window').toEqual(refused(30))
})

test('a window ends as well when the clock of the session has moved by it', async () => {
  const { session, ask } = await limited()
  await ask()
  session.clock.advance('PT29S')
  expect(await ask()).toEqual(refused(1))
  session.clock.advance('PT1S')
  expect(await ask()).toEqual(passed)
})

test('Retry-After is true for a client that waits, and for one that moves the clock, in any order', async () => {
  const waiting = await limited()
  await waiting.ask()
  waiting.session.clock.advance('PT20S')
  expect(await waiting.ask()).toEqual(refused(10))
  waiting.pass(10)
  expect(await waiting.ask()).toEqual(passed)
  waiting.pass(20)
  expect(await waiting.ask()).toEqual(refused(10))
  waiting.session.clock.advance('PT10S')
  expect(await waiting.ask()).toEqual(passed)
})

test('time counts once where the clock of the session runs', async () => {
  const { ask, pass, session } = await limited({ now: 'system' })
  expect(await ask()).toEqual(passed)
  pass(20)
  expect(await ask()).toEqual(refused(10))
  pass(10)
  expect(await ask()).toEqual(passed)
  session.clock.advance('PT25S')
  pass(4)
  expect(await ask()).toEqual(refused(1))
  pass(1)
  expect(await ask()).toEqual(passed)
})

test('the window of one session is not that of another', async () => {
  const sandbox = await openSandbox()
  const [first, second] = [sandbox.session(), sandbox.session()]
  for (const session of [first, second]) session.faults.add({ rateLimit: { requests: 1, windowSeconds: 60 } })
  expect((await as(first, 'mara').send('/members/me')).status).toBe(200)
  expect((await as(first, 'mara').send('/members/me')).status).toBe(429)
  expect((await as(second, 'mara').send('/members/me')).status).toBe(200)
})
