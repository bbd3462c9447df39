import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, it, onTestFinished } from 'vitest'

import type { Answer } from '../../src/calibration/answers.ts'
import { calibrate } from '../../src/calibration/calibrate.ts'
import { formatResult, formatWords } from '../../src/calibration/format.ts'
import { MAX_FILE_BYTES, readHar, readResponseFile } from '../../src/calibration/har.ts'
import { parseBaseUrl, probe } from '../../src/calibration/probe.ts'
import { createSandbox } from '../../src/index.ts'
import { recordTenant } from './calibrate-support.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Replaces every text in a body, and every key that is no field of the document. */
function replaceTexts(value: unknown, replace: () => string): unknown {
  if (typeof value === 'string') return replace()
  if (Array.isArray(value)) return value.map((part) => replaceTexts(part, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaceTexts(part, replace)]))
}

/** Everything that a calibration stores or prints. */
function showAll(answers: readonly Answer[]): string {
  const result = calibrate(answers)
  return JSON.stringify([result.calibration, result.rates, formatWords(result), formatResult(result)])
}

it.each([
  ['one and the same', () => 'Marker'],
  ['numbered', (count: number) => `Marker${count}`],
  ['a date', () => '2021-03-04T05:06:07Marker'],
  ['an address', (count: number) => `marker.${count}@marker.example`],
])('shows and stores no text of a tenant whose texts are %s', async (_, write) => {
  const { har } = await recordTenant({})
  let count = 0
  for (const { response } of har.log.entries) {
    const { text } = response.content
    if (text === undefined) continue
    const body = replaceTexts(JSON.parse(text), () => write((count += 1)))
    Object.assign(response.content, { text: JSON.stringify(body) })
  }
  expect(count).toBeGreaterThan(1_000)
  const { answers } = readHar(encode(JSON.stringify(har)))
  expect(answers.length).toBeGreaterThan(30)
  expect(showAll(answers)).not.toMatch(/marker/i)
})

it('shows and stores no key of an object that is a map', () => {
  const file = encode(JSON.stringify([{ id: 1, labels: { 'Marker & Sons': 1, 'marker@example.com': 2 } }]))
  expect(showAll([readResponseFile('listBriefs', file)])).not.toMatch(/marker/i)
})

it.each([
  ['', 'it is empty'],
  ['Marker', 'it is not valid JSON'],
  ['{"log":"Marker"}', 'it is not a HAR file, which has a list log.entries'],
  ['[1]', 'it is not a HAR file, which has a list log.entries'],
  [`${'['.repeat(300)}${']'.repeat(300)}`, 'it is nested more than 200 levels deep'],
  [`{"log":{"entries":[${'0,'.repeat(20_000)}0]}}`, 'it has more than 20000 entries'],
])('rejects the recording %.40j in its own words', (text, message) => {
  expect(() => readHar(encode(text))).toThrow(message)
})

it('rejects a recording that is too large before it parses it', () => {
  const bytes = new Uint8Array(MAX_FILE_BYTES + 1)
  expect(() => readHar(bytes)).toThrow('it has 65 MiB, more than 64.')
})

it('skips entries of a recording that are not as HAR has them', () => {
  const url = 'https://api.example.com/v1/organizations/acme/briefs'
  const request = { method: 'GET', url }
  const answer = (content: unknown) => ({ request, response: { status: 200, content } })
  const entries = [
    null,
    7,
    'Marker',
    { request },
    { request: { method: 1, url }, response: { status: 200 } },
    answer({ text: '<html>Marker</html>', encoding: 'utf-8' }),
    answer({ text: '%%%', encoding: 'base64' }),
    { request, response: { status: 200, headers: 'Marker', content: 7 } },
    { request: { method: 'GET', url: `${url}?limit=${'9'.repeat(20_000)}` }, response: { status: 200 } },
    { request: { method: 'GET', url: 'Marker' }, response: { status: 200 } },
    answer({ text: '{"items":[null,7,[]],"totalCount":"Marker"}' }),
    answer({ text: '{"items":[null,{"id":{}}],"totalCount":1}' }),
    { request, response: { status: 404, content: { text: '"Marker"' } } },
  ]
  const { answers, others } = readHar(encode(JSON.stringify({ log: { entries } })))
  expect([answers.length, others]).toEqual([6, 7])
  expect(showAll(answers)).not.toMatch(/marker/i)
})

/** Starts a hostile tenant, and returns its base URL. */
async function startTenant(respond: RequestListener): Promise<string> {
  const server = createServer(respond)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const attack = async (respond: RequestListener, timeoutMs?: number): Promise<unknown> =>
  probe({
    baseUrl: await startTenant(respond),
    token: 'secret-token',
    timeoutMs,
    pause: () => Promise.resolve(),
  }).then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.message : error),
  )

it('follows no redirect, so that the token goes nowhere else', async () => {
  let count = 0
  const message = await attack((_, response) => {
    count += 1
    response.writeHead(302, { location: 'http://127.0.0.1:1/marker' }).end()
  })
  expect(message).toBe('GET /members/me redirects, which is not followed. Check the base URL')
  expect(count).toBe(1)
})

it('stops reading an endless answer', async () => {
  const piece = Buffer.alloc(1 << 20, '[')
  let sent = 0
  const message = await attack((_, response) => {
    const send = (): void => {
      while (sent < 500 && !response.destroyed) {
        sent += 1
        if (!response.write(piece)) return void response.once('drain', send)
      }
    }
    send()
  })
  expect(message).toBe('GET /members/me answers with more than 16 MiB. Check the base URL')
  expect(sent).toBeLessThan(60)
})

it.each(['nothing', 'one byte at a time'])('gives up on a tenant that sends %s', async (what) => {
  const message = await attack((_, response) => {
    if (what === 'nothing') return
    const timer = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(timer))
  }, 300)
  expect(message).toBe('GET /members/me does not answer within 0.3 s. Check the base URL and the network')
})

it.each([
  [200, 'text/html', '<html>Marker</html>', 'with status 200 and a body that is not a member'],
  [200, 'application/json', '[]', 'with status 200 and a body that is not a member'],
  [200, 'application/json', '{"organizationId":7}', 'with status 200 and a body that is not a member'],
  [204, 'application/json', '', 'with status 204 and no body'],
  [404, 'application/json', '{"Marker":"Marker"}', 'with status 404 and a body that is not a member'],
  [429, 'application/json', '{}', 'with status 429. Try again later'],
  [503, 'text/html', 'Marker', 'with status 503. Try again later'],
])('says what is wrong with an answer of %d, %s %s', async (status, type, body, expected) => {
  let count = 0
  const message = await attack((_, response) => {
    count += 1
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  expect(message).toContain(`GET /members/me answers ${expected}`)
  expect(message).not.toMatch(/marker|secret/i)
  expect(count).toBe(1)
})

it('names neither token nor address when a tenant rejects the token', async () => {
  const message = await attack((_, response) => response.writeHead(401).end('{}'))
  expect(message).toBe('the tenant rejects the token with status 401')
})

it('reads a tenant in which every list has the wrong type', async () => {
  const member = JSON.stringify({ id: 'Marker', organizationId: 'a/../b?c', items: 'Marker' })
  const message = await attack((_, response) => response.writeHead(200).end(member))
  expect(message).toBe('no error')
})

it.each([
  ['http://api.example.com/v1', 'the token would be readable on the way'],
  ['https://user:secret@api.example.com/v1', 'it must not have a user name or password'],
  ['https://api.example.com/v1?key=secret', 'it must not have a query or fragment'],
  ['file:///etc/passwd', 'it must be a URL with its version'],
  ['api.example.com', 'it must be a URL with its version'],
])('rejects the base URL %s', (text, expected) => {
  const parsed = parseBaseUrl(text)
  expect('error' in parsed && parsed.error).toContain(expected)
  expect(JSON.stringify(parsed)).not.toContain('secret')
})

it.each([
  'https://api.example.com/v1/',
  'http://localhost:4500/v1',
  'http://127.0.0.1/v1',
  'http://[::1]/v1',
])('accepts the base URL %s', (text) => {
  expect(parseBaseUrl(text)).toEqual({ baseUrl: text.replace(/\/$/, '') })
})

it('rejects a calibration whose shape leads back to itself', async () => {
  const calibration = { shapes: { brief: { type: 'object', properties: { a: { $ref: '#/properties/a' } } } } }
  await expect(createSandbox({ calibration })).rejects.toThrow(/calibration\.shapes\.brief.*itself/)
})
