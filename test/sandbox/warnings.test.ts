import { describe, expect, it } from 'vitest'

import { requestsOf } from '../../src/control/journal/requests.ts'
import { unknownParametersText, warningHeader } from '../../src/control/journal/warnings.ts'
import { controlOf, openJournal, page, theo } from './journal-support.ts'

const HARBOR = '/v1/organizations/harbor'

function open() {
  const opened = openJournal()
  const requests = requestsOf(() => opened.journal)
  const codes = () => requests.warnings().map(({ code, requestIds }) => `${code} ${requestIds.join(' ')}`)
  return { ...opened, requests, codes }
}

const listed = (total: number) => ({ answer: page(total) })

const refused = (status: number, retryAfter?: string) => ({
  status,
  ...(retryAfter !== undefined && { answerHeaders: { 'retry-after': retryAfter } }),
})

describe('a list read in part', () => {
  it('is told of once the client turns to something else', () => {
    const { request, codes } = open()
    const list = request(`${HARBOR}/customers?limit=10`, listed(25))
    expect(list.warnings).toEqual([])
    request('/v1/members/me')
    expect(list.warnings).toEqual([
      {
        code: 'unread_pages',
        message:
          'listCustomers has 25 matches (totalCount), but only the first 10 were fetched; ask for the rest with offset=10',
        requestIds: [1],
      },
    ])
    expect(codes()).toEqual(['unread_pages 1'])
  })

  it('is told of when asked, though it was the last request', () => {
    const { request, codes } = open()
    request(`${HARBOR}/customers`, listed(101))
    expect(codes()).toEqual(['unread_pages 1'])
  })

  it('is not told of where every page was read, in any order, with other requests between', () => {
    const { request, opened, answered, codes } = open()
    const first = request(`${HARBOR}/customers?segment=a&limit=10`, listed(35))
    request('/v1/members/me')
    expect(first.warnings).toHaveLength(1)
    const [second, third, fourth] = [10, 20, 30].map((offset) =>
      opened(`${HARBOR}/customers?segment=a&offset=${offset}&limit=10`),
    )
    for (const entry of [fourth, third, second]) if (entry) answered(entry, listed(35))
    expect(codes()).toEqual([])
    expect(first.warnings).toEqual([])
  })

  it('tells the lists of other filters and other callers apart', () => {
    const { request, codes } = open()
    request(`${HARBOR}/customers?segment=a&limit=10`, listed(20))
    request(`${HARBOR}/customers?segment=b&limit=10&offset=10`, listed(20))
    request(`${HARBOR}/customers?segment=a&limit=10&offset=10`, { ...listed(20), caller: theo })
    expect(codes()).toEqual(['unread_pages 1'])
  })

  it('is not told of where there is no more, or the list was refused', () => {
    const { request, codes } = open()
    request(`${HARBOR}/customers`, listed(100))
    request(`${HARBOR}/customers?limit=0`, { status: 400, answer: '{}' })
    request(`${HARBOR}/members`, { answer: '[]' })
    expect(codes()).toEqual([])
  })
})

describe('the same page again', () => {
  const customers = `${HARBOR}/customers?limit=10`

  it('is told of from the third time on, in its header too', () => {
    const { request, opened, codes } = open()
    for (let time = 1; time <= 2; time += 1) {
      expect(request(customers, { answer: page(3) }).warningHeaders).toEqual({})
    }
    expect(opened(customers).warningHeaders).toEqual({
      'sandbox-warning': `GET ${HARBOR}/customers was asked for 3 times in a row, though nothing changed between; keep its answer`,
    })
    request(customers, { answer: page(3) })
    expect(codes()).toEqual(['repeated_page 1 2 3 4'])
  })

  it('is no waste after a write, a move of the clock or a refusal, nor for another caller', () => {
    const { request, write, moveClock, codes } = open()
    for (let minute = 10; minute < 14; minute += 1) {
      request(customers, { answer: page(3) })
      request(customers, { answer: page(3), caller: theo })
      if (minute % 2 === 0) write()
      else moveClock(`2026-01-15T12:${minute}:00.000Z`)
    }
    write()
    for (let time = 1; time <= 4; time += 1) request(customers, { status: 503, answer: '{}' })
    expect(codes()).toEqual([])
  })
})

describe('single records after their list', () => {
  it('are told of from the fifth on', () => {
    const { request, codes, requests } = open()
    request(`${HARBOR}/customers`, { answer: page(9) })
    for (let id = 1; id <= 4; id += 1) {
      request(`${HARBOR}/customers/${id}`)
      request(`${HARBOR}/customers/${id}/meetings`, { answer: page(0) })
    }
    expect(codes()).toEqual([])
    expect(request(`${HARBOR}/customers/5`).warningHeaders).toHaveProperty('sandbox-warning')
    expect(codes()).toEqual(['single_reads 1 2 4 6 8 10'])
    expect(requests.warnings()[0]?.message).toBe(
      'getCustomer was called for 5 records right after listCustomers, whose answer holds the same fields',
    )
  })

  it('are as it should be where the list lacks fields, or the same record is read', () => {
    const { request, codes } = open()
    request(`${HARBOR}/customers/1/meetings`, { answer: page(9) })
    for (let id = 1; id <= 9; id += 1) request(`${HARBOR}/customers/1/meetings/${id}`)
    request(`${HARBOR}/automations`, { answer: '[]' })
    for (let id = 1; id <= 9; id += 1) request(`${HARBOR}/automations/${id}`)
    request(`${HARBOR}/customers`, { answer: page(9) })
    for (let time = 1; time <= 9; time += 1) request(`${HARBOR}/customers/1`)
    expect(codes()).toEqual([])
  })
})

describe('a retry', () => {
  it('is told of where it does not wait as long as Retry-After asks', () => {
    const { request, codes, requests } = open()
    request('/v1/members/me', refused(429, '2'))
    expect(request('/v1/members/me').warningHeaders).toHaveProperty('sandbox-warning')
    expect(codes()).toEqual(['hasty_retry 1 2'])
    expect(requests.warnings()[0]?.message).toMatch(
      /^GET \/v1\/members\/me was retried \d+ ms after a 429 that asked for a wait of 2000 ms; wait, or advance the session's clock$/,
    )
  })

  it('may wait by the clock of the session', () => {
    const { request, moveClock, codes } = open()
    request('/v1/members/me', refused(503, '2'))
    moveClock('2026-01-15T12:00:02.000Z')
    request('/v1/members/me')
    expect(codes()).toEqual([])
  })

  it('takes a date in Retry-After', () => {
    const { request, codes } = open()
    request('/v1/members/me', refused(503, 'Thu, 15 Jan 2026 12:00:30 GMT'))
    request('/v1/members/me')
    expect(codes()).toEqual(['hasty_retry 1 2'])
  })

  it('is expected to wait after any 429, but not after a 503 that asks for nothing', () => {
    const { request, codes } = open()
    request('/v1/members/me', refused(503))
    request('/v1/members/me', refused(429))
    request('/v1/members/me')
    expect(codes()).toEqual(['hasty_retry 2 3'])
  })

  it('is another request than one to another address', () => {
    const { request, codes } = open()
    request(`${HARBOR}/customers/1`, refused(429, '2'))
    request(`${HARBOR}/customers/2`)
    expect(codes()).toEqual([])
  })
})

describe('warnings', () => {
  it('name unknown parameters with the nearest known, bounded and printable', () => {
    const known = ['scope', 'status', 'segment']
    expect(unknownParametersText(['statsu', 'zzz', 'é'], known)).toBe(
      'unknown query parameters ignored: statsu (did you mean status?), zzz, %C3%A9',
    )
    const many = Array.from({ length: 8 }, (_, at) => `${'\u{1F600}\uD800\r\n'.repeat(50)}${at}`)
    const text = unknownParametersText(many, known)
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(text).toContain(' and 3 more')
    expect(text.length).toBeLessThan(400)
  })

  it('are safe as a header', () => {
    const { opened } = open()
    const entry = opened('/v1/members/me')
    for (let time = 1; time <= 9; time += 1)
      entry.warn('unknown_parameter', `\r\nSet-Cookie: é\u0000${'x'.repeat(900)}`)
    const value = warningHeader(entry.warnings)
    expect(value).toMatch(/^[\x20-\x7e]{1,2000}$/)
    expect(() => new Headers(entry.warningHeaders)).not.toThrow()
  })

  it('outlive their requests, but not a clear', () => {
    const { request, requests, journal } = open()
    request('/v1/members/me', { status: 429 })
    request('/v1/members/me')
    for (let time = 1; time <= 1_000; time += 1) request('/v1/nothing', { status: 404 })
    expect(journal.get(2)).toBeUndefined()
    expect(requests.warnings()).toHaveLength(1)
    requests.clear()
    expect(requests.warnings()).toEqual([])
  })

  it('fail assertNoWarnings, but for those that it is told to ignore', () => {
    const { request, requests } = open()
    requests.assertNoWarnings()
    request('/v1/members/me', { status: 429 })
    request('/v1/members/me')
    expect(() => requests.assertNoWarnings()).toThrow(
      /^Expected no warnings, found 1:\n {2}hasty_retry: GET .* \(request 1, 2\)$/,
    )
    requests.assertNoWarnings({ ignore: ['hasty_retry'] })
  })

  it('are listed by GET /_sandbox/requests/warnings', async () => {
    const { request, journal } = open()
    request('/v1/members/me', { status: 429 })
    request('/v1/members/me')
    const response = await controlOf(journal).send('/warnings')
    expect(await response.json()).toMatchObject({
      items: [{ code: 'hasty_retry', requestIds: [1, 2] }],
      totalCount: 1,
    })
  })

  it('need little memory, however many requests there were', () => {
    const { request, codes } = open()
    for (let at = 1; at <= 5_000; at += 1) request(`${HARBOR}/customers?city=${at}`, { answer: page(200) })
    expect(codes()).toHaveLength(100)
  })
})
