import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { toJson } from '../../src/core/exact-json.ts'
import { parseInput } from '../../src/core/issues.ts'
import { createResponse } from '../../src/core/response.ts'
import { SandboxError } from '../../src/index.ts'
import { effects } from '../../src/testing/faults/effects.ts'
import { FaultInput, FaultsInput } from '../../src/testing/faults/fault.ts'
import { Faults } from '../../src/testing/faults/faults.ts'
import { inject } from '../../src/testing/faults/inject.ts'
import { parsePrefer } from '../../src/testing/faults/prefer.ts'

/** Lists the errors of a fault as `name: message`. */
function findErrors(input: unknown): string[] {
  try {
    parseInput(FaultsInput, input)
  } catch (error) {
    if (error instanceof SandboxError) return (error.errors ?? []).map((at) => `${at.name}: ${at.message}`)
    throw error
  }
  return []
}

it('accepts a fault or a list of faults, and says so of anything else', () => {
  expect(findErrors({ status: 503 })).toEqual([])
  expect(findErrors([{ status: 503 }, { status: 99, time: 1 }])).toEqual([
    '[1].status: must be a whole number from 200 to 599',
    '[1].time: is not known. Did you mean times?',
  ])
  expect(findErrors({ status: 99, delay: 3 })).toEqual([
    'status: must be a whole number from 200 to 599',
    'delay: is not known. Did you mean delayMs?',
  ])
  for (const input of [7, 'flaky', null]) {
    expect(findErrors(input)).toEqual([': must be a fault or a list of faults'])
  }
})

const withoutResponse = 'stored: requires status or sequence or malfunction or reset or gate'

it.each([
  [{ status: 199 }, 'status: must be a whole number from 200 to 599'],
  [{ delayMs: '2s' }, 'delayMs: must be a whole number from 0 to 600000, or { min, max }'],
  [{ delayMs: { min: 5, max: 1 } }, 'delayMs: must have a min that is not greater than its max'],
  [{ status: 500, times: 0 }, 'times: must be at least 1'],
  [{ sequence: [] }, 'sequence: must have at least one step'],
  [{ malfunction: 'reset' }, 'malfunction: must be one of empty, hang, truncate, malformed'],
  [
    { rateLimit: { requests: 1, windowSeconds: 0 } },
    'rateLimit.windowSeconds: must be a whole number from 1 to 86400',
  ],
  // Inputs that contradict themselves.
  [{}, `: must have an effect: one of ${effects.join(', ')}, delayMs, headers`],
  [{ reset: true, status: 503 }, 'reset: cannot be combined with status'],
  [{ status: 503, sequence: [503] }, 'sequence: cannot be combined with status'],
  [{ profile: 'slow', delayMs: 5 }, 'delayMs: cannot be combined with profile'],
  [{ malfunction: 'hang', delayMs: 5 }, 'delayMs: cannot be combined with hang, which never responds'],
  [{ delayMs: 5, body: 'x' }, 'body: requires status or sequence or rateLimit'],
  [{ status: 204, body: 'x' }, 'body: cannot be combined with status 204, which has no body'],
  [{ status: 500, repeat: true }, 'repeat: requires sequence'],
  [{ delayMs: 5, stored: true }, withoutResponse],
  [{ rateLimit: { requests: 1, windowSeconds: 1 }, stored: true }, withoutResponse],
  [{ profile: 'flaky', stored: true }, withoutResponse],
  [
    { status: 503, retryAfterSeconds: 1, headers: { 'retry-after': '2' } },
    'retryAfterSeconds: repeats the Retry-After header',
  ],
])('rejects %j', (input, message) => {
  expect(findErrors(input)).toEqual([message])
})

const framing = ['Content-Length', 'transfer-encoding', 'Connection', 'upgrade', 'keep-alive', 'trailer']

it.each([...framing, 'TE', 'host', 'x-hono-already-sent'])('rejects the framing header %s', (name) => {
  expect(findErrors({ status: 500, headers: { [name]: '1' } })).toEqual([
    `headers.${name}: is reserved: the server frames the message`,
  ])
})

it.each([
  [{ 'a b': '1' }, 'headers.a b: is not a valid header name'],
  [JSON.parse('{"__proto__":"1"}'), 'headers.__proto__: is a name that cannot be used'],
  [{ 'a\r\nb': '1' }, 'headers.a\r\nb: is not a valid header name'],
  [{ a: '1\r\nset-cookie: x' }, 'headers.a: is not a valid header value'],
  [{ a: '\u0000' }, 'headers.a: is not a valid header value'],
  [{ 'X-A': '1', 'x-a': '2' }, 'headers.x-a: is given twice'],
  [{ a: ['1'] }, 'headers.a: must be a string or a number'],
  [{ a: 'x'.repeat(5_000) }, 'headers.a: must have at most 4096 characters'],
  [
    Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`x-${at}`, '1'])),
    'headers: must have at most 50 headers',
  ],
])('rejects the headers %j', (headers, message) => {
  expect(findErrors({ status: 500, headers })).toEqual([message])
})

it('rejects a body that is too large or nested too deep', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  const loop: { self?: unknown } = {}
  loop.self = loop
  for (const body of [deep, loop, 'x'.repeat(1_100_000), Array(50_001).fill(0)]) {
    expect(findErrors({ status: 500, body })).toEqual([
      'body: must be JSON with at most 1048576 characters, 50000 values and 100 levels of nesting',
    ])
  }
})

it.each([
  ['code=503', 503, 0],
  ['delay=2s', 'proceed', 2_000],
  ['delay=250ms', 'proceed', 250],
  ['delay=1.5', 'proceed', 1_500],
  ['code=404, delay=0.25s', 404, 250],
  ['Code = "429"', 429, 0],
  ['respond-async, code=503; foo="a,b", wait=10', 503, 0],
  ['foo="code=400, \\"delay=9\\"", code=503', 503, 0],
  ['foo="a, code=400, \\", delay=9", code=503', 503, 0],
  ['code=503, code=500', 503, 0],
  [', ,code=503,', 503, 0],
  ['delay=600', 'proceed', 600_000],
])('applies Prefer: %s', (header, step, delayMs) => {
  expect(parsePrefer(header)).toMatchObject({ id: 'prefer', step, delayMs })
})

it.each(['', 'respond-async', 'return=minimal; code=503', '"code=503"', 'return="code=503"', '=', 'a b'])(
  'ignores Prefer: %s',
  (header) => {
    expect(parsePrefer(header)).toBeUndefined()
  },
)

const wrongCodes = ['code', 'code=', 'code=99', 'code=600', 'code=5e2', 'code=teapot', 'code=0503', 'code=""']
const wrongDelays = ['delay', 'delay=-1', 'delay=601', 'delay=600001ms', 'delay=2m', 'delay=1e3', 'delay=.5']

it.each([...wrongCodes, ...wrongDelays])('rejects Prefer: %s', (header) => {
  const [name = ''] = header.split('=')
  expect(() => parsePrefer(header)).toThrow(`header Prefer: ${name} must be`)
})

const clock = { now: () => '2026-01-15T12:00:00.000Z' }
const request = { method: 'GET', path: '/v1/members/me', operationId: 'getCurrentMember' }
const proceed = async () => createResponse('{}')

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

it('every valid fault can be injected, and any other is refused', async () => {
  let accepted = 0
  const property = fc.asyncProperty(responses, async (input) => {
    const session = new Faults(() => 0)
    try {
      session.append([parseInput(FaultInput, toJson(input))])
    } catch (error) {
      if (error instanceof SandboxError) return
      throw error
    }
    accepted += 1
    const injection = session.decide(request, clock)
    const exchange = {
      method: 'GET',
      proceed,
      headers: () => ({}),
      wait: async () => undefined,
      hold: async () => ({}),
    }
    const response = injection && (await inject(injection, exchange))
    expect(response?.headers.get('sandbox-fault')).toBe('fault-1')
    await response?.text()
    JSON.stringify(session.list())
  })
  await fc.assert(property, { numRuns: 500, seed: 1 })
  expect(accepted).toBeGreaterThan(75)
})
