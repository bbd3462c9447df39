import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { createResponse } from '../../src/core/response.ts'
import { SandboxError } from '../../src/index.ts'
import { parseFaults } from '../../src/testing/faults/fault.ts'
import { Faults } from '../../src/testing/faults/faults.ts'
import { inject } from '../../src/testing/faults/inject.ts'
import { parsePrefer } from '../../src/testing/faults/prefer.ts'
import { chooseAmount } from '../reliability/figures.ts'

const clock = { now: () => '2026-01-15T12:00:00.000Z' }
const request = { method: 'GET', path: '/v1/members/me', operationId: 'getCurrentMember' }
const proceed = async () => createResponse('{}')

/** Returns the error of a call; undefined if it succeeds. */
function thrown(act: () => unknown): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', 'x-a', '1', '\r\n'),
)
const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true })
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: anything })

const responses = fc.record(
  {
    status: mostly(fc.integer({ min: 200, max: 599 })),
    body: anything,
    headers: mostly(
      fc.dictionary(fc.oneof(fc.constantFrom('x-a', 'Content-Type', 'Set-Cookie'), text), text, {
        maxKeys: 2,
      }),
    ),
    retryAfterSeconds: mostly(fc.nat(100)),
  },
  { requiredKeys: ['status'] },
)

const faults = fc.record(
  {
    operationId: text,
    method: text,
    path: fc.oneof(
      text,
      fc.webPath(),
      text.map((part) => `/organizations/${part}/customers`),
    ),
    status: anything,
    delayMs: anything,
    sequence: anything,
    rateLimit: anything,
    profile: text,
    reset: anything,
    times: anything,
    after: anything,
    probability: anything,
  },
  { requiredKeys: [] },
)

const wait = async () => undefined

it('every valid fault can be injected', async () => {
  let accepted = 0
  const property = fc.asyncProperty(responses, async (input) => {
    const session = new Faults(() => 0)
    const error = thrown(() => session.append(parseFaults(input)))
    const injection = error === undefined ? session.decide(request, clock) : undefined
    const exchange = { method: 'GET', proceed, headers: () => ({}), wait, hold: async () => ({}) }
    const response = injection && (await inject(injection, exchange))
    if (response) accepted += 1
    await response?.text()
    JSON.stringify(session.list())
    expect(error === undefined || error instanceof SandboxError).toBe(true)
    expect(response?.headers.get('sandbox-fault')).toBe(injection?.id)
  })
  await fc.assert(property, { numRuns: 2_000, seed: 1 })
  expect(accepted).toBeGreaterThan(300)
})

it('any other input is a valid fault or a bad request', () => {
  const property = fc.property(fc.oneof(faults, anything, fc.array(faults)), (input) => {
    const error = thrown(() => parseFaults(input))
    expect(error === undefined || error instanceof SandboxError).toBe(true)
  })
  fc.assert(property, { numRuns: chooseAmount(500, 3_000), seed: 1 })
})

it('any Prefer header is applied, ignored or a bad request', () => {
  const part = fc.constantFrom('code', 'delay', '=', '5', '03', 'ms', '"', '\\', ',', ';', ' ', '.', 'a')
  const property = fc.property(
    fc.array(part).map((parts) => parts.join('')),
    (header) => {
      const error = thrown(() => parsePrefer(header))
      expect(error === undefined || error instanceof SandboxError).toBe(true)
    },
  )
  fc.assert(property, { numRuns: chooseAmount(500, 5_000), seed: 1 })
})
