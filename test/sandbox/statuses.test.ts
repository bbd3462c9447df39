import { expect, it } from 'vitest'

import { createSandbox, type SandboxOptions } from '../../src/index.ts'
import { as, type Client, expectInvalid, openSandbox, type Page, createJsonPost } from '../support.ts'
import { inSession } from './control-support.ts'

const sandbox = await openSandbox({ size: 100 })

type Assumptions = NonNullable<SandboxOptions['assumptions']>

interface Signal {
  readonly id: number
  readonly status: string
}

const home = '/organizations/harbor'

/** Two, seven and twenty names, and names with their meanings. */
const two = ['OPEN', 'DONE']
const seven = ['new', 'working', 'won', 'rejected', 'triage', 'blocked', 'lost']
const twenty = Array.from({ length: 20 }, (_, index) => `S${index + 1}`)
const withMeanings = { NEW: 'open', ACTIVE: 'open', DONE: 'closed', WONT_FIX: 'dismissed' } as const

/** Acts as Mara in a session of its own, and calls its control plane. */
function opened(assumptions: Assumptions) {
  const { id } = sandbox.session({ assumptions })
  const control = (path: string, init: RequestInit = {}) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), 'sandbox-session': id }
    return sandbox.fetch(new Request(`http://sandbox${path}`, { ...init, headers }))
  }
  return { client: inSession(sandbox, id, 'header'), control }
}

/** Every record of a list, by pages. */
async function all<T>(client: Client, path: string): Promise<T[]> {
  const found: T[] = []
  for (let total = 1; found.length < total;) {
    const query = `${path.includes('?') ? '&' : '?'}limit=250&offset=${found.length}`
    const { items, totalCount } = await client.get<Page<T>>(`${home}${path}${query}`)
    if (items.length === 0) break
    found.push(...items)
    total = totalCount
  }
  return found
}

/** Maps the meanings of signal statuses to the names that signals show. */
async function namesByMeaning(names: Assumptions['signalStatuses']): Promise<Record<string, string[]>> {
  const meanings = await all<Signal>(as(sandbox, 'mara'), '/signals')
  const named = await all<Signal>(opened({ signalStatuses: names }).client, '/signals')
  const found: Record<string, Set<string>> = {}
  for (const [index, { status }] of meanings.entries())
    (found[status] ??= new Set()).add(named[index]?.status ?? '')
  return Object.fromEntries(Object.entries(found).map(([meaning, set]) => [meaning, [...set].toSorted()]))
}

it('a single name applies to every signal', async () => {
  expect(await namesByMeaning(['ANY'])).toEqual({
    open: ['ANY'],
    inProgress: ['ANY'],
    closed: ['ANY'],
    dismissed: ['ANY'],
  })
})

it('two names distinguish open signals from closed ones', async () => {
  expect(await namesByMeaning(two)).toEqual({
    open: ['OPEN'],
    inProgress: ['OPEN'],
    closed: ['DONE'],
    dismissed: ['DONE'],
  })
})

it('more than four names share the meanings in turn', async () => {
  expect(await namesByMeaning(seven)).toEqual({
    open: ['new', 'triage'],
    inProgress: ['blocked', 'working'],
    closed: ['lost', 'won'],
    dismissed: ['rejected'],
  })
})

it('a name with a meaning also covers the related meaning without a name', async () => {
  expect(await namesByMeaning(withMeanings)).toEqual({
    open: ['ACTIVE', 'NEW'],
    inProgress: ['ACTIVE', 'NEW'],
    closed: ['DONE'],
    dismissed: ['WONT_FIX'],
  })
})

it.each([
  ['two', two],
  ['seven', seven],
  ['twenty', twenty],
  ['names with their meanings', withMeanings],
])('finds by each of %s exactly the signals that show it, and every name is shown', async (_, names) => {
  const { client } = opened({ signalStatuses: names })
  const signals = await all<Signal>(client, '/signals')
  const list = Array.isArray(names) ? names : Object.keys(names)
  for (const name of list) {
    const found = await all<Signal>(client, `/signals?status=${name}`)
    expect(found, `the signals that are ${name}`).toEqual(signals.filter(({ status }) => status === name))
    expect(found.length, `the signals that are ${name}`).toBeGreaterThan(0)
  }
  const wrong = await client.send(`${home}/signals?status=open`)
  await expectInvalid(wrong, 'query status')
})

it.each([
  ['two', ['CUSTOMER', 'OTHER'], { CUSTOMER: ['active', 'onboarding'], OTHER: ['churned', 'prospect'] }],
  [
    'names with their meanings',
    { LIVE: 'active', GONE: 'churned' } as const,
    { LIVE: ['active', 'onboarding'], GONE: ['churned', 'prospect'] },
  ],
])('finds customers by %s', async (_, names, meanings) => {
  const { client } = opened({ customerStatuses: names })
  for (const [name, parts] of Object.entries(meanings)) {
    const expected = await Promise.all(parts.map((part) => customerIds(as(sandbox, 'mara'), part)))
    expect(await customerIds(client, name)).toEqual(expected.flat().toSorted((a, b) => a - b))
  }
})

async function customerIds(client: Client, status: string): Promise<number[]> {
  return (await all<Signal>(client, `/customers?status=${status}`)).map(({ id }) => id)
}

it('divides the customers among seven names, each used by some of them', async () => {
  const { client } = opened({ customerStatuses: seven })
  const every = await all<Signal>(client, '/customers')
  const parts = await Promise.all(seven.map((name) => all<Signal>(client, `/customers?status=${name}`)))
  expect(parts.map(({ length }) => length)).not.toContain(0)
  expect(
    parts
      .flat()
      .map(({ id }) => id)
      .toSorted((a, b) => a - b),
  ).toEqual(every.map(({ id }) => id))
})

it('lists the names in the OpenAPI document', async () => {
  const { control } = opened({ signalStatuses: withMeanings, customerStatuses: two })
  const { components } = (await (await control('/openapi.json')).json()) as {
    components: { schemas: Record<string, { enum?: string[] }> }
  }
  expect(components.schemas['SignalStatusInput']?.enum).toEqual(Object.keys(withMeanings))
  expect(components.schemas['CustomerStatusInput']?.enum).toEqual(two)
})

it('returns an arranged signal with its given status name', async () => {
  const { client, control } = opened({ signalStatuses: seven })
  for (const status of seven) {
    const answer = await control('/_sandbox/data/signals/3', {
      ...createJsonPost({ status }),
      method: 'PATCH',
    })
    expect(await answer.json()).toMatchObject({ id: 3, status })
    expect(await client.get(`${home}/signals/3`)).toMatchObject({ status })
    const found = await all<Signal>(client, `/signals?status=${status}`)
    expect(found.map(({ id }) => id)).toContain(3)
  }
})

it('keeps a signal unchanged when it is put back, whatever its status name means', async () => {
  for (const names of [two, seven, withMeanings]) {
    const { client, control } = opened({ signalStatuses: names })
    const before = await all<Signal>(client, '/signals')
    for (const { id } of before.slice(0, 40)) {
      const path = `/_sandbox/data/signals/${id}`
      const record = await (await control(path)).json()
      const put = await control(path, { ...createJsonPost(record), method: 'PUT' })
      expect(await put.json()).toEqual(record)
    }
    expect(await all<Signal>(client, '/signals')).toEqual(before)
  }
})

it('gives a new signal the meaning that fits its other fields', async () => {
  const { control } = opened({ signalStatuses: two })
  const create = async (signal: object) =>
    (await (await control('/_sandbox/data/signals', createJsonPost([signal]))).json()) as {
      dismissalReason: object
    }[]
  const reason = { id: 3, name: 'Duplicate' }
  const dismissed = await create({ customerId: 1, status: 'DONE', dismissalReason: reason })
  expect(dismissed).toMatchObject([{ status: 'DONE', dismissalReason: reason }])
  const closed = await create({ customerId: 1, status: 'DONE' })
  expect(closed).toMatchObject([{ status: 'DONE', closedDate: expect.stringMatching(/^2026/) }])
})

it('rejects an unknown status, and lists the names', async () => {
  for (const names of [two, seven, ['a', 'b', 'c', 'd']]) {
    const { control } = opened({ signalStatuses: names })
    const answer = await control('/_sandbox/data/signals/3', {
      ...createJsonPost({ status: 'closed' }),
      method: 'PATCH',
    })
    expect(await answer.clone().text()).toContain(`must be one of ${names.join(', ')}`)
    await expectInvalid(answer, 'body status')
  }
})

it('counts and explains signals by their status names', async () => {
  const { client, control } = opened({ signalStatuses: seven, customerStatuses: seven })
  const counts = await (await control('/_sandbox/data/signals/counts?by=status&organizationId=harbor')).json()
  const signals = await all<Signal>(client, '/signals')
  const expected = seven.map((value) => ({
    value,
    count: signals.filter((one) => one.status === value).length,
  }))
  const { items } = counts as { items: { value: string; count: number }[] }
  expect(items.map(({ value, count }) => ({ value, count })).toSorted(byValue)).toEqual(
    expected.toSorted(byValue),
  )
  const [customer] = await all<Signal>(client, '/customers?status=triage')
  const request = { path: `/v1${home}/customers?status=new`, token: 'sbx_harbor_1', id: customer?.id }
  const explained = (await (await control('/_sandbox/explain', createJsonPost(request))).json()) as object
  expect(explained).toMatchObject({
    conditions: expect.arrayContaining([
      expect.objectContaining({ name: 'status', requested: 'new', found: 'triage', holds: false }),
    ]),
  })
})

const byValue = (a: { readonly value: string }, b: { readonly value: string }): number =>
  a.value < b.value ? -1 : 1

it('accepts the names for a sandbox, and for a session in a PATCH', async () => {
  const strict = await createSandbox({ size: 'small', assumptions: { signalStatuses: two } })
  const { items } = await as(strict, 'mara').get<Page<Signal>>(`${home}/signals?limit=250`)
  expect([...new Set(items.map(({ status }) => status))].toSorted()).toEqual(two.toSorted())
  const { client, control } = opened({})
  await control('/_sandbox/assumptions', {
    ...createJsonPost({ signalStatuses: withMeanings }),
    method: 'PATCH',
  })
  const { status } = await client.get<Signal>(`${home}/signals/1`)
  expect(Object.keys(withMeanings)).toContain(status)
})

it.each([
  [[], 'must have at least 1 name'],
  [{}, 'must have at least 1 name'],
  [Array.from({ length: 21 }, (_, index) => `${index}`), 'must have at most 20 names (got 21)'],
  [['open', 'open'], 'must not repeat a name (got "open" twice)'],
  [['open', ' '], 'must not have an empty name'],
  [{ '': 'open' }, 'must not have an empty name'],
  [
    { DONE: 'finished' },
    'must give "DONE" one of the meanings open, inProgress, closed, dismissed (got "finished")',
  ],
  [[1, 2], 'must be a list of strings'],
  ['open', 'must be a list of 1 to 20 names, or an object such as { "OPEN": "open" }'],
])('refuses %j as names', async (names, message) => {
  const { control } = opened({})
  const answer = await control('/_sandbox/assumptions', {
    ...createJsonPost({ signalStatuses: names }),
    method: 'PATCH',
  })
  expect(await answer.clone().text()).toContain(JSON.stringify(message).slice(1, -1))
  await expectInvalid(answer, 'body signalStatuses')
})
