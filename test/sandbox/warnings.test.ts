import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { renderWarningHeader } from '../../src/http/warn.ts'
import { createSandbox, type DatasetOptions } from '../../src/index.ts'
import { type Answering, as, customers, openSandbox, type Page } from '../support.ts'

const shared = await createSandbox({ size: 'small' })

/** Opens a session in which no real time passes: on a busy machine, two requests may be far from each other. */
async function open(options?: DatasetOptions) {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const sandbox = options ? await createSandbox({ size: 'small', ...options }) : shared
  const session = sandbox.session()
  onTestFinished(() => session.close())
  /** Sends GETs for paths of harbor, one after the other, and expects that no header warns. */
  const send = async (...paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      const { headers } = await as(session, 'mara').send(`/organizations/harbor${path}`)
      expect(headers.get('sandbox-warning')).toBeNull()
    }
  }
  const codes = () =>
    session.requests.warnings().map(({ code, requestIds }) => `${code} ${requestIds.join(' ')}`)
  return { session, send, codes }
}

const repeat = (count: number, path: string): string[] => Array.from({ length: count }, () => path)

describe('unread pages', () => {
  it('are found when somebody reads the journal, until the rest was read in any order', async () => {
    const { session, send, codes } = await open()
    await send('/customers?limit=10', '/products')
    const [warning] = session.requests.warnings()
    expect(warning).toEqual({
      code: 'unread_pages',
      message:
        'listCustomers has 25 matches (totalCount), but only the first 10 were fetched; fetch the rest with offset=10',
      requestIds: [1],
    })
    expect(session.requests.list().map(({ warnings }) => warnings)).toEqual([[warning], []])
    await send('/customers?limit=10&offset=20', '/products', '/customers?limit=10&offset=10')
    expect(codes()).toEqual([])
  })

  it('are counted once for each list and caller, from the last time that it was read completely', async () => {
    const { session, send, codes } = await open()
    await send('/customers?scope=mine&limit=2', '/customers?scope=team&limit=2&offset=2')
    await as(session, 'theo').send('/organizations/harbor/customers?scope=mine&limit=2&offset=2')
    await send('/customers?scope=mine&limit=3', '/signals?limit=10')
    expect(codes()).toEqual(['unread_pages 4', 'unread_pages 5'])
    await send('/customers?scope=mine&limit=250', '/signals?limit=10')
    expect(codes()).toEqual(['unread_pages 5'])
  })

  it('cause no warning if there is no other page, or the list was rejected or is looked at for its total', async () => {
    const { send, codes } = await open()
    await send('/customers', '/customers?limit=0', '/members', '/customers?limit=1')
    expect(codes()).toEqual([])
  })
})

describe('a repeated page', () => {
  const path = '/customers?scope=mine&limit=250'

  it.each([undefined, { now: 'system' }])('causes a warning from the third time on (%o)', async (options) => {
    const { session, send, codes } = await open(options)
    await send(path, path)
    expect(codes()).toEqual([])
    await send(path, path)
    expect(session.requests.warnings()).toEqual([
      {
        code: 'repeated_page',
        message: `GET /v1/organizations/harbor/customers was requested 4 times in a row although nothing changed; cache the response`,
        requestIds: [1, 2, 3, 4],
      },
    ])
  })

  it('causes no warning after a write, a move of the clock or an error, or for another caller', async () => {
    const { session, send, codes } = await open()
    for (let time = 1; time < 4; time += 1) {
      await send(path)
      await as(session, 'theo').send(`/organizations/harbor${path}`)
      if (time % 2 === 0) await session.data.customers.patch(1, { employeeCount: time })
      else session.clock.advance('PT1S')
    }
    session.faults.add({ status: 500, times: 4 })
    await send(...repeat(4, path))
    expect(codes()).toEqual([])
  })
})

describe('single reads after a list', () => {
  it('cause a warning from the fifth on', async () => {
    const { session, send, codes } = await open()
    await send('/customers')
    for (let id = 1; id <= 4; id += 1) await send(`/customers/${id}`, `/customers/${id}/meetings?limit=250`)
    expect(codes()).toEqual([])
    await send('/customers/5')
    expect(codes()).toEqual(['single_reads 1 2 4 6 8 10'])
    expect(session.requests.warnings()[0]?.message).toBe(
      'getCustomer was called for 5 records right after listCustomers, whose response has the same fields',
    )
  })

  it('cause no warning if the list lacks fields, or the same record is read', async () => {
    const { send, codes } = await open()
    const paths = ['/automations', ...[1, 2, 3, 4, 5, 6].map((id) => `/automations/${id}`), '/customers']
    await send(...paths, ...repeat(9, '/customers/1'))
    expect(codes()).toEqual([])
  })
})

const reject = (status: number, retryAfter?: string) => ({
  status,
  times: 1,
  ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
})

describe('a retry', () => {
  it('causes a warning if it does not wait as long as Retry-After requests', async () => {
    const { session, send, codes } = await open()
    session.faults.add(reject(429, '2'))
    await send('/products', '/products')
    expect(codes()).toEqual(['hasty_retry 1 2'])
    expect(session.requests.warnings()[0]?.message).toBe(
      "request 2, GET …/products, was retried 0 ms after request 1 was answered with a 429 that asked for 2 s; wait, or advance the session's clock",
    )
  })

  it('may wait by the session clock', async () => {
    const { session, send, codes } = await open()
    session.faults.add(reject(503, '2'))
    await send('/products')
    session.clock.advance('PT2S')
    await send('/products')
    expect(codes()).toEqual([])
  })

  it('must wait after any 429 and until a date, but not after a 503 without Retry-After, nor for another URL', async () => {
    const { session, send, codes } = await open()
    for (const fault of [reject(503), reject(429), reject(503, 'Thu, 15 Jan 2026 12:00:30 GMT')]) {
      session.faults.add(fault)
      await send('/products')
    }
    await send('/products')
    session.faults.add(reject(429, '2'))
    await send('/customers/1', '/customers/2')
    expect(codes()).toEqual(['hasty_retry 2 3', 'hasty_retry 3 4'])
  })
})

describe('warnings', () => {
  it('make a valid header', () => {
    const message = `\r\nSet-Cookie: é\u0000${'x'.repeat(900)}`
    const warning = { code: 'unknown_parameter' as const, message, requestIds: [1] }
    const value = renderWarningHeader(Array.from({ length: 9 }, () => warning))
    expect(value).toMatch(/^[\x20-\x7e]{1,2000}$/)
    expect(() => new Headers({ 'sandbox-warning': value })).not.toThrow()
  })

  it('of single requests outlive these, until the journal is cleared; those of several do not', async () => {
    const { session, send, codes } = await open()
    await as(session, 'mara').send('/members/me?verbose=1')
    await send('/customers?limit=10')
    for (let count = 0; count < 1_000; count += 1) await session.fetch('/v1/nothing')
    expect(codes()).toEqual(['unknown_parameter 1'])
    session.requests.clear()
    expect(codes()).toEqual([])
  })

  it('fail assertNoWarnings, except ignored ones, and are listed in HAR', async () => {
    const { session, send } = await open()
    session.requests.assertNoWarnings()
    await send('/customers?limit=10')
    expect(() => session.requests.assertNoWarnings()).toThrow(
      /^Expected no warnings, found 1:\n {2}unread_pages: listCustomers .* \(request 1\)$/,
    )
    session.requests.assertNoWarnings({ ignore: ['unread_pages'] })
    expect(() => session.requests.assertNoWarnings({ ignore: ['hasty_retry'] })).toThrow(
      /^Expected no warnings other than hasty_retry, found 1:\n {2}unread_pages/,
    )
    const [warning] = session.requests.warnings()
    expect(session.requests.har().log.entries[0]).toHaveProperty('_warnings', [warning?.message])
  })
})

interface Listed {
  readonly segment: string
  readonly country: string
  readonly city: string
}

/** Requests a list. Returns its total count and warning. */
async function list({ fetch }: Answering, query: string) {
  const response = await as({ fetch }, 'mara').send(`${customers}?${query}`)
  const { totalCount }: Page<Listed> = JSON.parse(await response.text())
  return { totalCount, warning: response.headers.get('sandbox-warning') }
}

/** Finds two values of a field. */
async function findTwo(session: Answering, field: keyof Listed): Promise<[string, string]> {
  const { items } = await as(session, 'mara').get<Page<Listed>>(`${customers}?limit=250`)
  const [first = '', second = ''] = new Set(items.map((customer) => customer[field]))
  return [first, second]
}

const joinValues = (...values: readonly string[]): string => values.map(encodeURIComponent).join(',')

it('two values joined with a comma match nothing, and cause a warning each time', async () => {
  const session = (await openSandbox()).session()
  const values = await findTwo(session, 'city')
  const [first, second] = values.map(encodeURIComponent)
  for (let time = 0; time < 2; time += 1) {
    const { totalCount, warning } = await list(session, `city=${joinValues(...values)}`)
    expect(totalCount).toBe(0)
    expect(warning).toContain(`city=${first}&city=${second}`)
  }
  const code = 'comma_in_value'
  expect(session.requests.warnings()).toMatchObject([2, 3].map((id) => ({ code, requestIds: [id] })))
  const repeated = await list(session, `city=${first}&city=${second}`)
  expect(repeated.totalCount).toBeGreaterThan(0)
  expect(repeated.warning).toBeNull()
})

it('a space after the comma, one matching part and the array forms cause a warning, too', async () => {
  const session = (await openSandbox()).session()
  const [first, second] = await findTwo(session, 'segment')
  for (const query of [
    `segment=${joinValues(first, ` ${second}`)}`,
    `segment=${joinValues(first, 'Nobody')}`,
    `segment=${joinValues(first, '')}`,
    `segment[]=${joinValues(first, second)}`,
    `segment[0]=Nobody&segment[1]=${joinValues(first, second)}`,
  ]) {
    expect(await list(session, query), `for ${query}`).toEqual({
      totalCount: 0,
      warning: expect.stringContaining(`segment=${encodeURIComponent(first)}`),
    })
  }
})

it('a value with a comma causes no warning if it matches, or its parts do not', async () => {
  const session = (await openSandbox()).session()
  await session.data.customers.patch(1, { city: 'Washington, D.C.' })
  const [segment] = await findTwo(session, 'segment')
  for (const [query, totalCount] of [
    [`city=${encodeURIComponent('Washington, D.C.')}`, 1],
    ['segment=Nobody,Nothing', 0],
    ['segment=,', 0],
    [`segment=${joinValues(segment, 'Nobody')}&country=Nowhere`, 0],
  ] as const) {
    expect(await list(session, query), `for ${query}`).toEqual({ totalCount, warning: null })
  }
})
