import { expect, test } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import { as, openSandbox, type Page } from '../support.ts'
import { serve } from './control-support.ts'

const customers = '/organizations/harbor/customers'

interface Listed {
  readonly segment: string
  readonly country: string
  readonly city: string
}

/** A list, and what its header warns about. */
async function asked({ fetch }: Pick<SessionHandle, 'fetch'>, query: string) {
  const response = await as({ fetch }, 'mara').send(`${customers}?${query}`)
  const { totalCount }: Page<Listed> = JSON.parse(await response.text())
  return { totalCount, warning: response.headers.get('sandbox-warning') }
}

/** Two values of a field that customers have. */
async function twoOf(session: Pick<SessionHandle, 'fetch'>, field: keyof Listed): Promise<[string, string]> {
  const { items } = await as(session, 'mara').get<Page<Listed>>(`${customers}?limit=250`)
  const [first = '', second = ''] = new Set(items.map((customer) => customer[field]))
  return [first, second]
}

const inQuery = (...values: readonly string[]): string => values.map(encodeURIComponent).join(',')

test.each(['segment', 'country', 'city'] as const)(
  'two values of %s with a comma between are one that matches nothing, which a warning says',
  async (field) => {
    const session = (await openSandbox()).session()
    const values = await twoOf(session, field)
    const { totalCount, warning } = await asked(session, `${field}=${inQuery(...values)}`)
    expect(totalCount).toBe(0)
    const [first, second] = values.map(encodeURIComponent)
    expect(warning).toContain(`${field}=${first}&${field}=${second}`)
    expect(session.requests.warnings()).toMatchObject([{ code: 'comma_in_value', requestIds: [2] }])
    const repeated = await asked(session, `${field}=${first}&${field}=${second}`)
    expect(repeated.totalCount).toBeGreaterThan(0)
    expect(repeated.warning).toBeNull()
  },
)

test('a space behind the comma, one part that matches, and the array forms are warned about, too', async () => {
  const session = (await openSandbox()).session()
  const [first, second] = await twoOf(session, 'segment')
  for (const query of [
    `segment=${inQuery(first, ` ${second}`)}`,
    `segment=${inQuery(first, 'Nobody')}`,
    `segment=${inQuery(first, '')}`,
    `segment[]=${inQuery(first, second)}`,
    `segment[0]=Nobody&segment[1]=${inQuery(first, second)}`,
  ]) {
    expect(await asked(session, query), `for ${query}`).toEqual({
      totalCount: 0,
      warning: expect.stringContaining(`segment=${encodeURIComponent(first)}`),
    })
  }
})

test('a value with a comma is as good as any other where it matches, or where its parts do not', async () => {
  const session = (await openSandbox()).session()
  await session.data.customers.patch(1, { city: 'Washington, D.C.' })
  const [segment] = await twoOf(session, 'segment')
  for (const [query, totalCount] of [
    [`city=${encodeURIComponent('Washington, D.C.')}`, 1],
    ['segment=Nobody,Nothing', 0],
    ['segment=,', 0],
    [`segment=${inQuery(segment, 'Nobody')}&country=Nowhere`, 0],
  ] as const) {
    expect(await asked(session, query), `for ${query}`).toEqual({ totalCount, warning: null })
  }
})

test('is not said where the service is assumed to split at commas', async () => {
  const session = (await openSandbox()).session({ assumptions: { arrayEncoding: 'comma' } })
  const { totalCount, warning } = await asked(
    session,
    `segment=${inQuery(...(await twoOf(session, 'segment')))}`,
  )
  expect(totalCount).toBeGreaterThan(0)
  expect(warning).toBeNull()
})

test('is said each time over HTTP, beside an unknown parameter, in printable characters', async () => {
  const { url } = await serve({ size: 'small' })
  const session = {
    fetch: (request: Request) =>
      fetch(request.url.replace('http://sandbox', url), { headers: request.headers }),
  }
  const values = await twoOf(session, 'segment')
  for (let time = 0; time < 4; time += 1) {
    const { warning } = await asked(session, `segment=${inQuery(...values)}`)
    expect(warning).toContain(`segment=${encodeURIComponent(values[0])}`)
  }
  const { warning } = await asked(
    session,
    `segment=${inQuery(...values, 'é'.repeat(500), '\u{1f600}')}&sgment=1`,
  )
  expect(warning).toMatch(/^[\x20-\x7e]{1,1000}$/)
  expect(warning).toContain('did you mean segment?')
})
