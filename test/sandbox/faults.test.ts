import { expect, test } from 'vitest'

import { recordKey } from '../../seed/random.ts'
import { SandboxError } from '../../src/contract/errors.ts'
import { Faults } from '../../src/control/faults/faults.ts'
import type { Injected } from '../../src/control/faults/inject.ts'
import type { FaultInput } from '../../src/control/faults/input.ts'
import { profiles } from '../../src/control/faults/profiles.ts'

const draw = (key: string): number => recordKey(42, 'faults', 0).for(key).next()
/** The delays of a hundred requests. */
const delays = (): unknown[] => {
  const faults = new Faults(draw)
  faults.add({ delayMs: { min: 10, max: 12 } })
  return Array.from({ length: 100 }, () => faults.take(customers, noon)?.delayMs)
}

const noon = (): string => '2026-01-15T12:00:00.000Z'
const customers = {
  method: 'GET',
  path: '/v1/organizations/harbor/customers',
  operationId: 'listCustomers',
}

const faultsOf = (...inputs: readonly FaultInput[]): Faults => {
  const faults = new Faults(draw)
  if (inputs.length > 0) faults.addAll(inputs)
  return faults
}

const take = (faults: Faults, now = noon): Injected | undefined => faults.take(customers, now)

const steps = (faults: Faults, requests: number): unknown[] =>
  Array.from({ length: requests }, () => take(faults)?.step ?? 'pass')

test('a session without faults injects nothing', () => {
  const faults = faultsOf()
  expect(faults.isEmpty).toBe(true)
  expect(take(faults)).toBeUndefined()
  expect(faults.bytes).toBe(0)
})

test('a fault is known by an id, says what it was given, and counts', () => {
  const faults = faultsOf()
  const input: FaultInput = { operationId: 'listCustomers', status: 503, times: 2 }
  expect(faults.add(input)).toEqual({ id: 'fault-1', ...input, matched: 0, injected: 0, left: 2 })
  expect(take(faults)).toMatchObject({ id: 'fault-1', step: 503 })
  expect(faults.list()).toEqual([{ id: 'fault-1', ...input, matched: 1, injected: 1, left: 1 }])
  expect(faults.get('fault-1')).toEqual(faults.list()[0])
})

test('the first fault that acts wins, and a spent one gives way to the next', () => {
  const faults = faultsOf({ status: 503, times: 1 }, { status: 500, times: 1 }, { status: 429 })
  expect(steps(faults, 4)).toEqual([503, 500, 429, 429])
  expect(faults.list().map(({ matched, left }) => [matched, left])).toEqual([
    [1, 0],
    [1, 0],
    [2, null],
  ])
})

test('after lets requests through first, times ends it', () => {
  expect(steps(faultsOf({ status: 500, after: 2, times: 1 }), 5)).toEqual([
    'pass',
    'pass',
    500,
    'pass',
    'pass',
  ])
})

test('a sequence takes one step for each request, then all pass', () => {
  const faults = faultsOf({ sequence: [503, 503, 429, 'pass', 'reset'] })
  expect(faults.list()[0]?.left).toBe(4)
  expect(steps(faults, 7)).toEqual([503, 503, 429, 'pass', 'reset', 'pass', 'pass'])
  expect(faults.list()[0]).toMatchObject({ matched: 5, injected: 4, left: 0 })
})

test('a sequence that repeats begins anew, and its pass is not for the faults behind it', () => {
  const faults = faultsOf({ sequence: [503, 'pass'], repeat: true }, { status: 500 })
  expect(steps(faults, 5)).toEqual([503, 'pass', 503, 'pass', 503])
})

test('a probability is met over many requests, and by the same ones each time', () => {
  const first = steps(faultsOf({ status: 500, probability: 0.25 }), 2_000)
  const failed = first.filter((step) => step === 500).length
  expect(failed).toBeGreaterThan(430)
  expect(failed).toBeLessThan(570)
  expect(steps(faultsOf({ status: 500, probability: 0.25 }), 2_000)).toEqual(first)
  expect(steps(faultsOf({ status: 500, probability: 0 }), 50)).not.toContain(500)
})

test('a range of delays is drawn from the seed, both ends included', () => {
  expect(new Set(delays())).toEqual(new Set([10, 11, 12]))
  expect(delays()).toEqual(delays())
})

test("a rate limit counts in windows of the session's clock and says so in headers", () => {
  const faults = faultsOf({ rateLimit: { requests: 2, windowSeconds: 60 } })
  const at = (second: number) =>
    take(faults, () => new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString())
  expect(at(0)).toMatchObject({ id: undefined, step: 'proceed', headers: { 'ratelimit-remaining': '1' } })
  expect(at(10)?.headers).toMatchObject({ ratelimit: '"sandbox";r=0;t=50', 'ratelimit-limit': '2' })
  expect(at(10)?.headers).not.toHaveProperty('sandbox-fault')
  const refused = at(45)
  expect(refused).toMatchObject({ id: 'fault-1', step: 429 })
  expect(refused?.headers).toMatchObject({
    'retry-after': '15',
    'ratelimit-policy': '"sandbox";q=2;w=60',
    'ratelimit-reset': '15',
  })
  expect(at(60)).toMatchObject({ step: 'proceed', headers: { 'ratelimit-remaining': '1' } })
  expect(at(30), 'the clock was set back').toMatchObject({ step: 'proceed' })
})

test('a request under a rate limit is still for the faults behind it', () => {
  const faults = faultsOf({ rateLimit: { requests: 1, windowSeconds: 60 } }, { status: 500 })
  expect(take(faults)).toMatchObject({ id: 'fault-2', step: 500, headers: { 'ratelimit-remaining': '0' } })
  expect(take(faults)).toMatchObject({ id: 'fault-1', step: 429 })
})

test('every profile is made of faults that could be given one by one', () => {
  for (const { description, faults } of Object.values(profiles)) {
    expect(description.length).toBeGreaterThan(10)
    expect(() => faultsOf(...faults)).not.toThrow()
  }
})

test('a profile is one fault, which may be aimed and counted', () => {
  const faults = faultsOf({ profile: 'flaky', operationId: 'listCustomers', times: 30 })
  const seen = steps(faults, 1_000)
  expect(new Set(seen)).toEqual(new Set([503, 500, 'reset', 'pass']))
  expect(seen.filter((step) => step !== 'pass')).toHaveLength(30)
  expect(faults.list()).toHaveLength(1)
})

test('a fault is taken away by its id; another id is told with the nearest', () => {
  const faults = faultsOf({ status: 500 }, { status: 503 })
  expect(faults.remove('fault-1')).toMatchObject({ id: 'fault-1', status: 500 })
  expect(steps(faults, 1)).toEqual([503])
  expect(() => faults.remove('fault-1')).toThrow('There is no fault fault-1. Did you mean fault-2?')
  faults.clear()
  expect(() => faults.get('fault-2')).toThrow('POST /_sandbox/faults')
  expect(faults.add({ status: 500 }).id).toBe('fault-3')
})

test('a snapshot keeps counts and ids, whatever happens afterwards, in this session or in another', () => {
  const faults = faultsOf({ sequence: [503, 500, 429] })
  take(faults)
  const snapshot = faults.snapshot()
  const fork = faultsOf()
  fork.restore(snapshot)
  expect(steps(faults, 2)).toEqual([500, 429])
  expect(fork.add({ status: 502 }).id).toBe('fault-2')
  expect(steps(fork, 3)).toEqual([500, 429, 502])
  faults.restore(snapshot)
  expect(faults.list()).toHaveLength(1)
  expect(steps(faults, 1)).toEqual([500])
  faults.restore(undefined)
  expect(faults.list()).toEqual([])
  expect(faults.snapshot()).toBeUndefined()
  expect(faults.add({ status: 500 }).id).toBe('fault-1')
})

test('what was given and what is listed are copies', () => {
  const body = { message: 'no' }
  const faults = faultsOf({ status: 500, body })
  body.message = 'changed'
  const [listed] = faults.list()
  expect(listed?.body).toEqual({ message: 'no' })
  Object.assign(listed?.body as object, { message: 'changed' })
  expect(take(faults)?.body?.text).toBe('{"message":"no"}')
})

test('a session has at most 1,000 faults, and a list is added whole or not at all', () => {
  const faults = faultsOf(...Array.from({ length: 999 }, () => ({ status: 500 })))
  expect(() => faults.addAll([{ status: 500 }, { status: 500 }])).toThrow(SandboxError)
  expect(faults.list()).toHaveLength(999)
  faults.add({ status: 500 })
  expect(() => faults.add({ status: 500 })).toThrow('at most 1000 faults')
})

test('the bodies of all faults of a session are bounded', () => {
  const faults = faultsOf()
  const body = 'x'.repeat(1_000_000)
  for (let count = 0; count < 16; count += 1) faults.add({ status: 500, body })
  expect(() => faults.add({ status: 500, body })).toThrow('Remove some first')
  faults.remove('fault-1')
  expect(faults.add({ status: 500, body }).id).toBe('fault-17')
  expect(faults.bytes).toBeLessThan(40_000_000)
})
