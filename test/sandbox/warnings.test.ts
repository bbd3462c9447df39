import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { createRequests } from '../../src/testing/journal/requests.ts'
import { renderWarningHeader, unknownParametersText } from '../../src/testing/journal/warnings.ts'
import { mountControl, openJournal, page, theo } from './journal-support.ts'

const HARBOR = '/v1/organizations/harbor'

/** Opens a journal for which no real time passes: on a busy machine, two requests may be far from each other. */
function openWarnings() {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const journal = openJournal()
  const requests = createRequests(() => journal.journal)
  const codes = () => requests.warnings().map(({ code, requestIds }) => `${code} ${requestIds.join(' ')}`)
  return { ...journal, requests, codes }
}

const listed = (total: number) => ({ body: page(total) })
const me = '/v1/members/me'

const reject = (status: number, retryAfter?: string) => ({
  status,
  ...(retryAfter !== undefined && { responseHeaders: { 'retry-after': retryAfter } }),
})

describe('unread pages', () => {
  it('cause a warning once the client turns to something else, or ends', () => {
    const { request, codes } = openWarnings()
    const list = request(`${HARBOR}/customers?limit=10`, listed(25))
    expect(list.warnings).toEqual([])
    request(me)
    expect(list.warnings).toEqual([
      {
        code: 'unread_pages',
        message:
          'listCustomers has 25 matches (totalCount), but only the first 10 were fetched; fetch the rest with offset=10',
        requestIds: [1],
      },
    ])
    expect(codes()).toEqual(['unread_pages 1'])
    // They are not counted anew when the same page is read again.
    const [warning] = list.warnings
    request(`${HARBOR}/customers?limit=10`, listed(25))
    expect(list.warnings).toHaveLength(1)
    expect(list.warnings[0]).toBe(warning)
  })

  it('cause no warning once every page was read, in any order, with other requests in between', () => {
    const { request, open, complete, codes } = openWarnings()
    const first = request(`${HARBOR}/customers?segment=a&limit=10`, listed(35))
    request(me)
    expect(first.warnings).toHaveLength(1)
    const [second, third, fourth] = [10, 20, 30].map((offset) =>
      open(`${HARBOR}/customers?segment=a&offset=${offset}&limit=10`),
    )
    for (const entry of [fourth, third, second]) if (entry) complete(entry, listed(35))
    expect(codes()).toEqual([])
    expect(first.warnings).toEqual([])
  })

  it('are counted separately for each filter and caller', () => {
    const { request, codes } = openWarnings()
    request(`${HARBOR}/customers?segment=a&limit=10`, listed(20))
    request(`${HARBOR}/customers?segment=b&limit=10&offset=10`, listed(20))
    request(`${HARBOR}/customers?segment=a&limit=10&offset=10`, { ...listed(20), caller: theo })
    expect(codes()).toEqual(['unread_pages 1'])
    request(`${HARBOR}/customers`, listed(101))
    expect(codes()).toEqual(['unread_pages 1', 'unread_pages 4'])
  })

  it('cause no warning if there is no other page, or the list was rejected', () => {
    const { request, codes } = openWarnings()
    request(`${HARBOR}/customers`, listed(100))
    request(`${HARBOR}/customers?limit=0`, { status: 400, body: '{}' })
    request(`${HARBOR}/members`, { body: '[]' })
    expect(codes()).toEqual([])
  })
})

describe('a repeated page', () => {
  const customers = `${HARBOR}/customers?limit=10`

  it('causes a warning from the third time on, and in the header once', () => {
    const { request, requests, open, codes } = openWarnings()
    for (let time = 1; time <= 2; time += 1) {
      expect(request(customers, listed(3)).warningHeaders).toBeUndefined()
    }
    expect(open(customers).warningHeaders).toEqual({
      'sandbox-warning': `GET ${HARBOR}/customers was requested 3 times in a row although nothing changed; cache the response`,
    })
    const later = request(customers, listed(3))
    expect(later.warningHeaders).toBeUndefined()
    expect(later.warnings).toEqual(requests.warnings())
    expect(codes()).toEqual(['repeated_page 1 2 3 4'])
  })

  it('causes no warning after a write, a move of the clock or an error, or for another caller', () => {
    const { request, write, moveClock, codes } = openWarnings()
    for (let minute = 10; minute < 14; minute += 1) {
      request(customers, listed(3))
      request(customers, { body: page(3), caller: theo })
      if (minute % 2 === 0) write()
      else moveClock(`2026-01-15T12:${minute}:00.000Z`)
    }
    write()
    for (let time = 1; time <= 4; time += 1) request(customers, { status: 503, body: '{}' })
    expect(codes()).toEqual([])
  })
})

describe('single reads after a list', () => {
  it('cause a warning from the fifth on', () => {
    const { request, codes, requests } = openWarnings()
    request(`${HARBOR}/customers`, listed(9))
    for (let id = 1; id <= 4; id += 1) {
      request(`${HARBOR}/customers/${id}`)
      request(`${HARBOR}/customers/${id}/meetings`, { body: page(0) })
    }
    expect(codes()).toEqual([])
    expect(request(`${HARBOR}/customers/5`).warningHeaders).toHaveProperty('sandbox-warning')
    expect(codes()).toEqual(['single_reads 1 2 4 6 8 10'])
    expect(requests.warnings()[0]?.message).toBe(
      'getCustomer was called for 5 records right after listCustomers, whose response has the same fields',
    )
  })

  it('cause no warning if the list lacks fields, or the same record is read', () => {
    const { request, codes } = openWarnings()
    request(`${HARBOR}/customers/1/meetings`, listed(9))
    for (let id = 1; id <= 9; id += 1) request(`${HARBOR}/customers/1/meetings/${id}`)
    request(`${HARBOR}/automations`, { body: '[]' })
    for (let id = 1; id <= 9; id += 1) request(`${HARBOR}/automations/${id}`)
    request(`${HARBOR}/customers`, listed(9))
    for (let time = 1; time <= 9; time += 1) request(`${HARBOR}/customers/1`)
    expect(codes()).toEqual([])
  })
})

describe('a retry', () => {
  it('causes a warning if it does not wait as long as Retry-After requests', () => {
    const { request, codes, requests } = openWarnings()
    request(me, reject(429, '2'))
    expect(request(me).warningHeaders).toHaveProperty('sandbox-warning')
    expect(codes()).toEqual(['hasty_retry 1 2'])
    expect(requests.warnings()[0]?.message).toMatch(
      /^GET \/v1\/members\/me was retried \d+ ms after a 429 that requested a wait of 2000 ms; wait, or advance the session's clock$/,
    )
  })

  it('may wait by the session clock', () => {
    const { request, moveClock, codes } = openWarnings()
    request(me, reject(503, '2'))
    moveClock('2026-01-15T12:00:02.000Z')
    request(me)
    expect(codes()).toEqual([])
  })

  it('must wait after any 429 and until a date, but not after a 503 without Retry-After, nor for another URL', () => {
    const { request, codes } = openWarnings()
    request(me, reject(503))
    request(me, reject(429))
    request(me, reject(503, 'Thu, 15 Jan 2026 12:00:30 GMT'))
    request(me)
    request(`${HARBOR}/customers/1`, reject(429, '2'))
    request(`${HARBOR}/customers/2`)
    expect(codes()).toEqual(['hasty_retry 2 3', 'hasty_retry 3 4'])
  })
})

describe('warnings', () => {
  it('name unknown parameters with the nearest known one, in limited printable text', () => {
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

  it('make a valid header', () => {
    const { open } = openWarnings()
    const entry = open(me)
    for (let time = 1; time <= 9; time += 1)
      entry.warn('unknown_parameter', `\r\nSet-Cookie: é\u0000${'x'.repeat(900)}`)
    const value = renderWarningHeader(entry.warnings)
    expect(value).toMatch(/^[\x20-\x7e]{1,2000}$/)
    expect(() => new Headers(entry.warningHeaders)).not.toThrow()
  })

  it('outlive their requests, until the journal is cleared', () => {
    const { request, requests, journal } = openWarnings()
    request(me, { status: 429 })
    request(me)
    for (let time = 1; time <= 1_000; time += 1) request('/v1/nothing', { status: 404 })
    expect(journal.get(2)).toBeUndefined()
    expect(requests.warnings()).toHaveLength(1)
    requests.clear()
    expect(requests.warnings()).toEqual([])
  })

  it('fail assertNoWarnings, except ignored ones, and are listed over HTTP', async () => {
    const { request, requests, journal } = openWarnings()
    requests.assertNoWarnings()
    request(me, { status: 429 })
    request(me)
    expect(() => requests.assertNoWarnings()).toThrow(
      /^Expected no warnings, found 1:\n {2}hasty_retry: GET .* \(request 1, 2\)$/,
    )
    requests.assertNoWarnings({ ignore: ['hasty_retry'] })
    expect(() => requests.assertNoWarnings({ ignore: ['unread_pages'] })).toThrow(
      /^Expected no warnings other than unread_pages, found 1:\n {2}hasty_retry/,
    )
    const response = await mountControl(journal).send('/warnings')
    const items = [{ code: 'hasty_retry', requestIds: [1, 2] }]
    expect(await response.json()).toMatchObject({ items, totalCount: 1 })
  })

  it('need little memory, however many requests there were', () => {
    const { request, codes } = openWarnings()
    for (let at = 1; at <= 5_000; at += 1) request(`${HARBOR}/customers?city=${at}`, { body: page(200) })
    expect(codes()).toHaveLength(100)
  })
})
