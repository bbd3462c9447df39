import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { parseInput } from '../../src/core/issues.ts'
import { createResponse } from '../../src/core/response.ts'
import { SandboxError } from '../../src/index.ts'
import { FaultInput } from '../../src/testing/faults/fault.ts'
import { Faults } from '../../src/testing/faults/faults.ts'
import { inject } from '../../src/testing/faults/inject.ts'
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

const wait = async () => undefined

it('every valid fault can be injected', async () => {
  let accepted = 0
  const property = fc.asyncProperty(responses, async (input) => {
    const session = new Faults(() => 0)
    const error = thrown(() => session.append([parseInput(FaultInput, input)]))
    const injection = error === undefined ? session.decide(request, clock) : undefined
    const exchange = { method: 'GET', proceed, headers: () => ({}), wait, hold: async () => ({}) }
    const response = injection && (await inject(injection, exchange))
    if (response) accepted += 1
    await response?.text()
    JSON.stringify(session.list())
    expect(error === undefined || error instanceof SandboxError).toBe(true)
    expect(response?.headers.get('sandbox-fault')).toBe(injection?.id)
  })
  await fc.assert(property, { numRuns: 500, seed: 1 })
  expect(accepted).toBeGreaterThan(75)
})
