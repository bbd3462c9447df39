import { expect, it } from 'vitest'

import { type Answering, as, customers, openSandbox, overHttp, type Page } from '../support.ts'
import { serve } from './control-support.ts'

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

it('two values joined with a comma match nothing, and cause a warning', async () => {
  const session = (await openSandbox()).session()
  const values = await findTwo(session, 'city')
  const { totalCount, warning } = await list(session, `city=${joinValues(...values)}`)
  expect(totalCount).toBe(0)
  const [first, second] = values.map(encodeURIComponent)
  expect(warning).toContain(`city=${first}&city=${second}`)
  expect(session.requests.warnings()).toMatchObject([{ code: 'comma_in_value', requestIds: [2] }])
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

it('a comma causes no warning if the service is assumed to split at commas', async () => {
  const session = (await openSandbox()).session({ assumptions: { arrayEncoding: 'comma' } })
  const values = await findTwo(session, 'segment')
  const { totalCount, warning } = await list(session, `segment=${joinValues(...values)}`)
  expect(totalCount).toBeGreaterThan(0)
  expect(warning).toBeNull()
})

it('over HTTP, each such request causes a warning, next to an unknown parameter, in printable characters', async () => {
  const { url } = await serve({ size: 'small' })
  const session = overHttp(url)
  const values = await findTwo(session, 'segment')
  for (let time = 0; time < 4; time += 1) {
    const { warning } = await list(session, `segment=${joinValues(...values)}`)
    expect(warning).toContain(`segment=${encodeURIComponent(values[0])}`)
  }
  const segments = joinValues(...values, 'é'.repeat(500), '\u{1f600}')
  const { warning } = await list(session, `segment=${segments}&sgment=1`)
  expect(warning).toMatch(/^[\x20-\x7e]{1,1000}$/)
  expect(warning).toContain('did you mean segment?')
})
