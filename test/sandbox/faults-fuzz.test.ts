import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { SandboxError } from '../../src/contract/errors.ts'
import { Waits } from '../../src/control/faults/connection.ts'
import { Faults } from '../../src/control/faults/faults.ts'
import { inject } from '../../src/control/faults/inject.ts'
import { parsedFaults } from '../../src/control/faults/input.ts'
import { preferred } from '../../src/control/faults/prefer.ts'

const now = (): string => '2026-01-15T12:00:00.000Z'
const request = { method: 'GET', path: '/v1/members/me', operationId: 'getCurrentMember' }
const proceed = async (): Promise<Response> => new Response('{}')

/** What is thrown, if anything. */
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

const answers = fc.record(
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

test('an answer that is accepted can be injected, whatever it is', async () => {
  let accepted = 0
  const property = fc.asyncProperty(answers, async (input) => {
    const session = new Faults(() => 0)
    const error = thrown(() => session.append(parsedFaults(input)))
    const injected = error === undefined ? session.take(request, now) : undefined
    const exchange = { request: new Request('http://sandbox'), proceed, waits: new Waits() }
    const answer = injected ? await inject(injected, exchange) : undefined
    if (answer) accepted += 1
    await answer?.text()
    JSON.stringify(session.list())
    expect(error === undefined || error instanceof SandboxError).toBe(true)
    expect(answer?.headers.get('sandbox-fault')).toBe(injected?.id)
  })
  await fc.assert(property, { numRuns: 2_000, seed: 1 })
  expect(accepted).toBeGreaterThan(300)
})

test('whatever else is said is a fault or a bad request', () => {
  const property = fc.property(fc.oneof(faults, anything, fc.array(faults)), (input) => {
    const error = thrown(() => parsedFaults(input))
    expect(error === undefined || error instanceof SandboxError).toBe(true)
  })
  fc.assert(property, { numRuns: 3_000, seed: 1 })
})

test('whatever a Prefer header says, it is understood, left alone or a bad request', () => {
  const part = fc.constantFrom('code', 'delay', '=', '5', '03', 'ms', '"', '\\', ',', ';', ' ', '.', 'a')
  const property = fc.property(
    fc.array(part).map((parts) => parts.join('')),
    (header) => {
      const error = thrown(() => preferred(header))
      expect(error === undefined || error instanceof SandboxError).toBe(true)
    },
  )
  fc.assert(property, { numRuns: 5_000, seed: 1 })
})
