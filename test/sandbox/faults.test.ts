import { expect, it } from 'vitest'

import { createRandom } from '../../seed/random/random.ts'
import type { FaultInput, SessionHandle } from '../../src/index.ts'
import { Faults } from '../../src/testing/faults/faults.ts'
import type { Injection } from '../../src/testing/faults/inject.ts'
import { as, openSandbox } from '../support.ts'

const draw = (key: string): number => createRandom(42, 'faults', 0, key).next()

const noon = { now: () => '2026-01-15T12:00:00.000Z' }
const customers = {
  method: 'GET',
  path: '/v1/organizations/harbor/customers',
  operationId: 'listCustomers',
}

const createFaults = (...inputs: readonly FaultInput[]): Faults => {
  const faults = new Faults(draw)
  if (inputs.length > 0) faults.addAll(inputs)
  return faults
}

const decide = (faults: Faults): Injection | undefined => faults.decide(customers, noon)

const steps = (faults: Faults, requests: number): unknown[] =>
  Array.from({ length: requests }, () => decide(faults)?.step ?? 'pass')

it('the first fault that acts wins, and a spent fault makes way for the next', () => {
  const faults = createFaults({ status: 503, times: 1 }, { status: 500, times: 1 }, { status: 429 })
  expect(steps(faults, 4)).toEqual([503, 500, 429, 429])
  expect(faults.list().map(({ matched, left }) => [matched, left])).toEqual([
    [1, 0],
    [1, 0],
    [2, null],
  ])
})

it('`after` lets requests through first, and `times` limits how often a fault acts', () => {
  const seen = steps(createFaults({ status: 500, after: 2, times: 1 }), 5)
  expect(seen).toEqual(['pass', 'pass', 500, 'pass', 'pass'])
})

it('a sequence takes one step per request, then lets all requests through', () => {
  const faults = createFaults({ sequence: [503, 503, 429, 'pass', 'reset'] })
  expect(faults.list()[0]?.left).toBe(4)
  expect(steps(faults, 7)).toEqual([503, 503, 429, 'pass', 'reset', 'pass', 'pass'])
  expect(faults.list()[0]).toMatchObject({ matched: 5, injected: 4, left: 0 })
})

it('a repeating sequence starts again, and its `pass` skips the other faults', () => {
  const faults = createFaults({ sequence: [503, 'pass'], repeat: true }, { status: 500 })
  expect(steps(faults, 5)).toEqual([503, 'pass', 503, 'pass', 503])
})

it('a probability holds over many requests, and picks the same requests each time', () => {
  const first = steps(createFaults({ status: 500, probability: 0.25 }), 2_000)
  const failed = first.filter((step) => step === 500).length
  expect(failed).toBeGreaterThan(430)
  expect(failed).toBeLessThan(570)
  expect(steps(createFaults({ status: 500, probability: 0.25 }), 2_000)).toEqual(first)
  expect(steps(createFaults({ status: 500, probability: 0 }), 50)).not.toContain(500)
})

it('a delay is drawn from its range by the seed, both ends included', () => {
  const [first, second] = [1, 2].map(() => {
    const faults = createFaults({ delayMs: { min: 10, max: 12 } })
    return Array.from({ length: 100 }, () => decide(faults)?.delayMs)
  })
  expect(new Set(first)).toEqual(new Set([10, 11, 12]))
  expect(second).toEqual(first)
})

it('a request within a rate limit reaches the other faults', () => {
  const faults = createFaults({ rateLimit: { requests: 1, windowSeconds: 60 } }, { status: 500 })
  expect(decide(faults)).toMatchObject({ id: 'fault-2', step: 500, headers: { 'ratelimit-remaining': '0' } })
  expect(decide(faults)).toMatchObject({ id: 'fault-1', step: 429 })
})

it('a profile is one fault, which can have a target and a count', () => {
  const faults = createFaults({ profile: 'flaky', operationId: 'listCustomers', times: 30 })
  const seen = steps(faults, 1_000)
  expect(new Set(seen)).toEqual(new Set([503, 500, 'reset', 'pass']))
  expect(seen.filter((step) => step !== 'pass')).toHaveLength(30)
  expect(faults.list()).toHaveLength(1)
})

it('a list of faults is added completely or not at all', () => {
  const faults = createFaults()
  expect(() => faults.addAll([{ status: 503 }, { status: 99 }])).toThrow('[1].status')
  expect(faults.list()).toEqual([])
  expect(faults.addAll([{ status: 503 }, { profile: 'slow' }])).toEqual(faults.list())
})

it('a fault is removed by its id; the error for an unknown id suggests the nearest', () => {
  const faults = createFaults({ status: 500 }, { status: 503 })
  expect(faults.remove('fault-1')).toMatchObject({ id: 'fault-1', status: 500 })
  expect(steps(faults, 1)).toEqual([503])
  expect(() => faults.remove('fault-1')).toThrow('There is no fault fault-1. Did you mean fault-2?')
  faults.clear()
  expect(() => faults.get('fault-2')).toThrow('POST /_sandbox/faults')
  expect(faults.add({ status: 500 }).id).toBe('fault-3')
})

it('the total size of all bodies of a session is limited', () => {
  const faults = createFaults()
  const body = 'x'.repeat(1_000_000)
  for (let count = 0; count < 16; count += 1) faults.add({ status: 500, body })
  expect(() => faults.add({ status: 500, body })).toThrow('Remove some first')
  faults.remove('fault-1')
  expect(faults.add({ status: 500, body }).id).toBe('fault-17')
  expect(faults.bytes).toBeLessThan(40_000_000)
})

/** Sends requests, and marks each that fails with an `x`. */
async function sendRequests(session: Pick<SessionHandle, 'fetch'>, requests: number): Promise<string> {
  const mara = as(session, 'mara')
  let outcomes = ''
  for (let count = 0; count < requests; count += 1) {
    const status = await mara.send('/members/me').then((response) => response.status, String)
    outcomes += status === 200 ? '.' : 'x'
  }
  return outcomes
}

it('a flaky service fails within five requests in every session, of those that match and are not let through', async () => {
  const sandbox = await openSandbox()
  const sessions = [sandbox, ...Array.from({ length: 40 }, () => sandbox.session())]
  const firsts = await Promise.all(
    sessions.map(async (session) => {
      session.faults.add({ profile: 'flaky', operationId: 'getCurrentMember', after: 2 })
      await as(session, 'mara').get('/organizations/harbor/customers')
      return (await sendRequests(session, 7)).indexOf('x') - 1
    }),
  )
  expect(new Set(firsts), 'and not at the same request in all of them').toEqual(new Set([1, 2, 3, 4, 5]))
})

it('a flaky service fails on other requests in each session and with each seed, and on the same ones with the same seed and id', async () => {
  const [here, there] = [await openSandbox({ seed: 42 }), await openSandbox({ seed: 43 })]
  const again = (await openSandbox({ seed: 42 })).session({ id: 'mine' })
  const sessions = [here, here.session(), here.session({ id: 'mine' }), there, again]
  const outcomes = await Promise.all(
    sessions.map((session) => {
      session.faults.add({ profile: 'flaky' })
      return sendRequests(session, 60)
    }),
  )
  expect(outcomes.pop()).toEqual(outcomes[2])
  expect(new Set(outcomes).size).toBe(4)
})
