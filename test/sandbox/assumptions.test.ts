import { expect, it } from 'vitest'

import { createSandbox } from '../../src/index.ts'
import { as, crawl, openSandbox, createJsonPost } from '../support.ts'

const sandbox = await openSandbox()
const mara = { authorization: 'Bearer sbx_harbor_1' }
const home = '/organizations/harbor'

/** Creates a function that calls the control plane or the service in a session. */
function calling(session?: string) {
  return async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers({ ...mara, ...Object.fromEntries(new Headers(init.headers)) })
    if (session !== undefined) headers.set('sandbox-session', session)
    return sandbox.fetch(new Request(`http://sandbox${path}`, { ...init, headers }))
  }
}

interface Listed {
  readonly id: string
  readonly name: string | null
  readonly options: readonly unknown[]
  readonly meanings: readonly string[]
  readonly value: unknown
}

const listed = async (call: ReturnType<typeof calling>, id: string) =>
  ((await (await call('/_sandbox/assumptions')).json()) as Listed[]).find((one) => one.id === id)

const patched = (settings: object): RequestInit => ({ ...createJsonPost(settings), method: 'PATCH' })

it('overrides assumptions for a whole sandbox', async () => {
  const strict = await createSandbox({ size: 5, assumptions: { violationStatus: 422 } })
  for (const at of [strict, strict.session()]) {
    await strict.reset()
    expect((await as(at, 'mara').send(`${home}/customers?limit=0`)).status).toBe(422)
  }
  const wrong = createSandbox({ assumptions: { violationStatus: 423 as 422 } })
  await expect(wrong).rejects.toThrow('option assumptions.violationStatus: must be one of 400, 422')
})

it('lists every assumption with its options and its value', async () => {
  const call = calling()
  const all = (await (await call('/_sandbox/assumptions')).json()) as Listed[]
  expect(all.length).toBeGreaterThan(35)
  for (const { options, meanings, value, name } of all) {
    expect(meanings).toHaveLength(options.length)
    expect(options.length === 0 || (options.length >= 2 && options.length <= 4)).toBe(true)
    expect(value === null).toBe(name === null)
  }
  const status = { name: 'violationStatus', options: [400, 422], value: 400 }
  expect(await listed(call, 'A-06')).toMatchObject(status)
})

it('overrides an assumption for one session until it is reset', async () => {
  const [one, other] = [calling(sandbox.session().id), calling(sandbox.session().id)]
  const status = async (call: ReturnType<typeof calling>) =>
    (await call('/v1/organizations/harbor/customers?limit=0')).status
  expect((await one('/_sandbox/assumptions', patched({ violationStatus: 422 }))).status).toBe(200)
  expect([await status(one), await status(other)]).toEqual([422, 400])
  expect((await listed(one, 'A-06'))?.value).toBe(422)
  await one('/_sandbox/reset', { method: 'POST' })
  expect(await status(one)).toBe(400)
})

it.each(['all', 'none'] as const)(
  'takes %s as envelopes, as the list of assumptions shows it',
  async (value) => {
    const session = sandbox.session({ assumptions: { envelopes: value } })
    const products = await as(session, 'mara').get('/organizations/harbor/products')
    expect(Array.isArray(products)).toBe(value === 'none')
    const call = calling(sandbox.session().id)
    expect((await call('/_sandbox/assumptions', patched({ envelopes: value }))).status).toBe(200)
    expect(await listed(call, 'A-02')).toEqual(await listed(calling(session.id), 'A-02'))
  },
)

it('keeps the initial overrides of a session through a reset, and copies them to a fork', async () => {
  const first = sandbox.session({ assumptions: { createStatus: 201 } })
  await first.reset()
  for (const id of [first.id, sandbox.session({ from: first.id }).id]) {
    expect((await listed(calling(id), 'A-39'))?.value).toBe(201)
  }
})

it('returns null for every absent value in every response', async () => {
  const client = as(sandbox.session({ assumptions: { absentValues: 'null' } }), 'mara')
  const empty = (await crawl(client)).flatMap(({ operationId, text }) =>
    absentIn(JSON.parse(text)).map((place) => `${operationId} ${place}`),
  )
  expect(new Set(empty)).toEqual(new Set())
  const automations = await client.get<{ deactivatedDate: string | null }[]>(`${home}/automations`)
  expect(automations.map(({ deactivatedDate }) => deactivatedDate)).toContain(null)
})

/** Finds the fields of a response with an empty text, or with a lookup's "none" entry. */
function absentIn(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return value === '' ? [place] : []
  if ('name' in value && /^(?:Not dismissed|No \w+)$/.test(String(value.name))) return [place]
  return Object.entries(value).flatMap(([name, part]) =>
    absentIn(part, Array.isArray(value) ? place : `${place}.${name}`),
  )
}
