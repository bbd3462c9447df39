import { expect, test } from 'vitest'

import { SandboxError } from '../../src/contract/errors.ts'
import { parsedFaults } from '../../src/control/faults/input.ts'

/** What is wrong with a fault, as `name: message`. */
function errorsOf(input: unknown): string[] {
  try {
    parsedFaults(input)
  } catch (error) {
    if (error instanceof SandboxError) return (error.errors ?? []).map((at) => `${at.name}: ${at.message}`)
    throw error
  }
  return []
}

test('takes a fault with every key of the interface', () => {
  const fault = {
    operationId: 'listCustomers',
    method: 'get',
    path: '/v1/organizations/{organizationId}/customers',
    status: 503,
    body: { code: 'down' },
    headers: { 'Retry-After': 5, 'X-Request-Id': 'abc' },
    delayMs: 600_000,
    reset: false,
    times: 3,
    after: 1,
    probability: 0.5,
  }
  expect(parsedFaults(fault)).toEqual([
    { ...fault, method: 'GET', headers: { 'retry-after': '5', 'x-request-id': 'abc' } },
  ])
})

test('says where in a larger body a fault stands', () => {
  expect(() => parsedFaults([{ state: 500 }], ['faults'])).toThrow(
    'body faults[0].state: is not known. Did you mean status?',
  )
})

test('names an unknown key with the nearest known one, where it stands', () => {
  expect(errorsOf({ status: 500, delay: 3 })).toEqual(['delay: is not known. Did you mean delayMs?'])
  expect(errorsOf({ rateLimit: { request: 1, windowSeconds: 1 } })).toEqual([
    'rateLimit.requests: must be a whole number from 0 to 1000000',
    'rateLimit.request: is not known. Did you mean requests?',
  ])
  expect(errorsOf([{ status: 500 }, { status: 500, time: 1 }])).toEqual([
    '[1].time: is not known. Did you mean times?',
  ])
})

test.each([
  [{ status: 199 }, 'status: must be a whole number from 200 to 599'],
  [{ status: 600 }, 'status: must be a whole number from 200 to 599'],
  [{ status: '503' }, 'status: must be a whole number from 200 to 599'],
  [{ status: 503.5 }, 'status: must be a whole number from 200 to 599'],
  [{ delayMs: -1 }, 'delayMs: must be a whole number from 0 to 600000'],
  [{ delayMs: 600_001 }, 'delayMs: must be a whole number from 0 to 600000'],
  [{ delayMs: '2s' }, 'delayMs: must be a whole number from 0 to 600000, or { min, max } of such'],
  [{ delayMs: { min: 5, max: 1 } }, 'delayMs: must have a min that is not above its max'],
  [{ status: 500, times: 0 }, 'times: must be at least 1'],
  [{ status: 500, after: 1.5 }, 'after: must be a whole number'],
  [{ status: 500, probability: 1.1 }, 'probability: must be at most 1'],
  [{ sequence: [] }, 'sequence: must have a step'],
  [{ malfunction: 'explode' }, 'malfunction: must be one of reset, empty, hang, truncate, malformed'],
  [
    { rateLimit: { requests: 1, windowSeconds: 0 } },
    'rateLimit.windowSeconds: must be a whole number from 1 to 86400',
  ],
])('refuses %j', (input, message) => {
  expect(errorsOf(input)).toEqual([message])
})

test.each([
  [
    {},
    ': must say what happens: one of status, sequence, rateLimit, malfunction, reset, profile, delayMs, headers',
  ],
  [{ reset: true, status: 503 }, 'reset: cannot stand beside status'],
  [{ reset: true, malfunction: 'hang' }, 'reset: cannot stand beside malfunction'],
  [{ status: 503, sequence: [503] }, 'sequence: cannot stand beside status'],
  [{ rateLimit: { requests: 1, windowSeconds: 1 }, status: 429 }, 'rateLimit: cannot stand beside status'],
  [{ profile: 'slow', delayMs: 5 }, 'delayMs: cannot stand beside profile'],
  [{ profile: 'slow', status: 500 }, 'profile: cannot stand beside status'],
  [{ malfunction: 'truncate', headers: { a: 'b' } }, 'headers: cannot stand beside malfunction'],
  [{ malfunction: 'hang', delayMs: 5 }, 'delayMs: cannot stand beside a malfunction that never ends'],
  [{ delayMs: 5, body: 'x' }, 'body: needs status or sequence or rateLimit'],
  [{ status: 204, body: 'x' }, 'body: cannot stand beside a status of 204, which has none'],
  [{ status: 500, repeat: true }, 'repeat: needs sequence'],
  [
    { status: 503, retryAfterSeconds: 1, headers: { 'retry-after': '2' } },
    'retryAfterSeconds: says again what the header Retry-After says',
  ],
])('refuses %j, which contradicts itself', (input, message) => {
  expect(errorsOf(input)).toEqual([message])
})

test.each([
  'Content-Length',
  'transfer-encoding',
  'Connection',
  'upgrade',
  'keep-alive',
  'trailer',
  'TE',
  'host',
  'x-hono-already-sent',
])('refuses the framing header %s', (name) => {
  expect(errorsOf({ status: 500, headers: { [name]: '1' } })).toEqual([
    `headers.${name}: frames the message, which is left to the server`,
  ])
})

test.each([
  [{ 'a b': '1' }, 'headers.a b: is no name of a header field'],
  [{ '': '1' }, 'headers.: is no name of a header field'],
  [{ 'a\r\nb': '1' }, 'headers.a\r\nb: is no name of a header field'],
  [{ a: '1\r\nset-cookie: x' }, 'headers.a: is no value of a header field'],
  [{ a: '\u0000' }, 'headers.a: is no value of a header field'],
  [{ a: '\u{1F600}' }, 'headers.a: is no value of a header field'],
  [{ a: ' 1' }, 'headers.a: is no value of a header field'],
  [{ 'X-A': '1', 'x-a': '2' }, 'headers.x-a: is given twice'],
  [{ a: ['1'] }, 'headers.a: must be a text or a number'],
  [{ a: 'x'.repeat(5_000) }, 'headers.a: must have at most 4096 characters'],
])('refuses the headers %j', (headers, message) => {
  expect(errorsOf({ status: 500, headers })).toEqual([message])
})

test('refuses a body that is no JSON, too large or too deep', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  const loop: { self?: unknown } = {}
  loop.self = loop
  for (const body of [deep, loop, 1n, 'x'.repeat(1_100_000), () => 1]) {
    expect(errorsOf({ status: 500, body })).toEqual([
      'body: must be JSON of at most 1048576 characters, at most 100 levels deep',
    ])
  }
})

test.each([[], 'fault', 1, null])('refuses %j, which is no fault', (input) => {
  expect(errorsOf(input)).toHaveLength(1)
})
