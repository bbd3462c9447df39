import { expect, it } from 'vitest'

import { signalStatuses } from '../../src/contract/statuses.ts'
import { type SandboxOptions } from '../../src/index.ts'
import {
  as,
  type Client,
  control,
  expectInvalid,
  home,
  openSandbox,
  type Page,
  readControl,
} from '../support.ts'
import { inSession } from './control-support.ts'

const sandbox = await openSandbox({ size: 100 })

type Assumptions = NonNullable<SandboxOptions['assumptions']>

interface Signal {
  readonly id: number
  readonly status: string
}

/** A name for each meaning in their order, and other numbers of names with their meanings. */
const inOrder = ['new', 'working', 'won', 'rejected'] as const
const two = { OPEN: 'open', DONE: 'closed' } as const
const five = { NEW: 'open', ACTIVE: 'open', BLOCKED: 'open', DONE: 'closed', WONT_FIX: 'dismissed' } as const
const twenty = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`S${index + 1}`, signalStatuses[index % 4] ?? 'open'] as const),
)
const listNames = (names: object): string[] => (Array.isArray(names) ? names : Object.keys(names))

/** Acts as Mara in a session of its own, and calls its control plane. */
function opened(assumptions: Assumptions) {
  const { id } = sandbox.session({ assumptions })
  return {
    client: inSession(sandbox, id, 'header'),
    call: (method: string, path: string, body: unknown) => control(sandbox, method, path, body, id),
    json: (method: string, path: string, body?: unknown) => readControl(sandbox, method, path, body, id),
  }
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
  const unnamed = await all<Signal>(as(sandbox, 'mara'), '/signals')
  const named = await all<Signal>(opened({ signalStatuses: names }).client, '/signals')
  const found: Record<string, string[]> = {}
  for (const [index, { status }] of unnamed.entries()) (found[status] ??= []).push(named[index]?.status ?? '')
  for (const [meaning, shown] of Object.entries(found)) found[meaning] = [...new Set(shown)].toSorted()
  return found
}

it.for([
  ['a single name applies to every signal', { ANY: 'open' }, [['ANY'], ['ANY'], ['ANY'], ['ANY']]],
  ['two names distinguish open signals from closed ones', two, [['OPEN'], ['OPEN'], ['DONE'], ['DONE']]],
  ['four names take the meanings in order', inOrder, [['new'], ['working'], ['won'], ['rejected']]],
  [
    'several names share a meaning, and the related meaning without a name',
    five,
    [['ACTIVE', 'BLOCKED', 'NEW'], ['ACTIVE', 'BLOCKED', 'NEW'], ['DONE'], ['WONT_FIX']],
  ],
] as const)('%s', async ([, names, [open, inProgress, closed, dismissed]]) => {
  expect(await namesByMeaning(names)).toEqual({ open, inProgress, closed, dismissed })
})

it('finds by each of twenty names exactly the signals that show it, and every name is shown', async () => {
  const { client } = opened({ signalStatuses: twenty })
  const signals = await all<Signal>(client, '/signals')
  for (const name of listNames(twenty)) {
    const found = await all<Signal>(client, `/signals?status=${name}`)
    expect(found, `the signals that are ${name}`).toEqual(signals.filter(({ status }) => status === name))
    expect(found.length, `the signals that are ${name}`).toBeGreaterThan(0)
  }
  await expectInvalid(await client.send(`${home}/signals?status=open`), 'query status')
})

it('finds customers by two names, each with several meanings', async () => {
  const { client } = opened({ customerStatuses: { LIVE: 'active', GONE: 'churned' } })
  for (const [name, parts] of Object.entries({
    LIVE: ['active', 'onboarding'],
    GONE: ['churned', 'prospect'],
  })) {
    const expected = await Promise.all(parts.map((part) => customerIds(as(sandbox, 'mara'), part)))
    expect(await customerIds(client, name)).toEqual(expected.flat().toSorted((a, b) => a - b))
  }
})

async function customerIds(client: Client, status: string): Promise<number[]> {
  return (await all<Signal>(client, `/customers?status=${status}`)).map(({ id }) => id)
}

it('returns an arranged signal with its given status name, also when it is put back', async () => {
  const { client, json } = opened({ signalStatuses: five })
  for (const status of listNames(five)) {
    const record = await json('PATCH', '/data/signals/3', { status })
    expect(record).toMatchObject({ id: 3, status })
    expect(await json('PUT', '/data/signals/3', record)).toEqual(record)
    expect(await client.get(`${home}/signals/3`)).toMatchObject({ status })
    const found = await all<Signal>(client, `/signals?status=${status}`)
    expect(found.map(({ id }) => id)).toContain(3)
  }
})

it('gives a new signal the meaning that fits its other fields', async () => {
  const { json } = opened({ signalStatuses: two })
  const signal = { customerId: 1, status: 'DONE' }
  const dismissed = { status: 'DONE', dismissalReason: { id: 3, name: 'Duplicate' } }
  expect(await json('POST', '/data/signals', [{ ...signal, ...dismissed }])).toMatchObject([dismissed])
  const closed = { status: 'DONE', closedDate: expect.stringMatching(/^2026/) }
  expect(await json('POST', '/data/signals', [signal])).toMatchObject([closed])
})

it('rejects an unknown status, and lists the names', async () => {
  const { call } = opened({ signalStatuses: two })
  const answer = await call('PATCH', '/data/signals/3', { status: 'closed' })
  expect(await answer.clone().text()).toContain('must be one of OPEN, DONE')
  await expectInvalid(answer, 'body status')
})

it.each([
  [
    ['OPEN', 'DONE'],
    'must be the 4 names of open, inProgress, closed, dismissed, in this order (got 2), or an object such as',
  ],
  [{}, 'must have at least 1 name'],
  [{ ...twenty, S21: 'open' }, 'must have at most 20 names (got 21)'],
  [['a', 'b', 'c', 'a'], 'must not repeat a name (got "a" twice)'],
  [{ '': 'open' }, 'must not have an empty name'],
  [
    { DONE: 'finished' },
    'must give "DONE" one of the meanings open, inProgress, closed, dismissed (got "finished")',
  ],
  [[1, 2, 3, 4], 'must be a list of strings'],
  ['open', 'must be the 4 names of open, inProgress, closed, dismissed, in this order, or an object'],
])('refuses %j as names', async (names, message) => {
  const answer = await opened({}).call('PATCH', '/assumptions', { signalStatuses: names })
  expect(await answer.clone().text()).toContain(JSON.stringify(message).slice(1, -1))
  await expectInvalid(answer, 'body signalStatuses')
})
