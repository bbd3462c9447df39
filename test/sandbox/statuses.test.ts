import { expect, it } from 'vitest'

import { signalStatuses } from '../../src/contract/statuses.ts'
import { type SandboxOptions } from '../../src/index.ts'
import {
  type Answering,
  as,
  control,
  expectInvalid,
  home,
  openSandbox,
  type Page,
  readControl,
} from '../support.ts'

const sandbox = await openSandbox({ size: 60 })

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

const openSession = (assumptions: Assumptions) => sandbox.session({ assumptions })

/** Reads a list, which one page holds. */
async function list(from: Answering, name: 'customers' | 'signals', status = ''): Promise<readonly Signal[]> {
  const path = `${home}/${name}?limit=250${status && `&status=${status}`}`
  const { items, totalCount } = await as(from, 'mara').get<Page<Signal>>(path)
  expect(items).toHaveLength(totalCount)
  return items
}

/** Maps the meanings of signal statuses to the names that signals show. */
async function namesByMeaning(names: Assumptions['signalStatuses']): Promise<Record<string, string[]>> {
  const unnamed = await list(sandbox, 'signals')
  const named = await list(openSession({ signalStatuses: names }), 'signals')
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
  const session = openSession({ signalStatuses: twenty })
  const signals = await list(session, 'signals')
  for (const name of Object.keys(twenty)) {
    const found = await list(session, 'signals', name)
    expect(found, `the signals that are ${name}`).toEqual(signals.filter(({ status }) => status === name))
    expect(found.length, `the signals that are ${name}`).toBeGreaterThan(0)
  }
  await expectInvalid(await as(session, 'mara').send(`${home}/signals?status=open`), 'query status')
})

it('finds customers by two names, each with several meanings', async () => {
  const session = openSession({ customerStatuses: { LIVE: 'active', GONE: 'churned' } })
  for (const [name, ...parts] of [
    ['LIVE', 'active', 'onboarding'],
    ['GONE', 'churned', 'prospect'],
  ] as const) {
    const expected = await Promise.all(parts.map((part) => list(sandbox, 'customers', part)))
    expect(await list(session, 'customers', name)).toEqual(expected.flat().toSorted((a, b) => a.id - b.id))
  }
})

it('returns an arranged signal with its given status name, also when it is put back', async () => {
  const session = openSession({ signalStatuses: five })
  for (const status of Object.keys(five)) {
    const record = await readControl(session, 'PATCH', '/data/signals/3', { status })
    expect(record).toMatchObject({ id: 3, status })
    expect(await readControl(session, 'PUT', '/data/signals/3', record)).toEqual(record)
    expect(await as(session, 'mara').get(`${home}/signals/3`)).toMatchObject({ status })
    const found = await list(session, 'signals', status)
    expect(found.map(({ id }) => id)).toContain(3)
  }
})

it('gives a new signal the meaning that fits its other fields', async () => {
  const session = openSession({ signalStatuses: two })
  const signal = { customerId: 1, status: 'DONE' }
  const dismissed = { status: 'DONE', dismissalReason: { id: 3, name: 'Duplicate' } }
  const closed = { status: 'DONE', closedDate: expect.stringMatching(/^2026/) }
  const created = readControl(session, 'POST', '/data/signals', [{ ...signal, ...dismissed }, signal])
  expect(await created).toMatchObject([dismissed, closed])
})

it('rejects an unknown status, and lists the names', async () => {
  const session = openSession({ signalStatuses: two })
  const answer = await control(session, 'PATCH', '/data/signals/3', { status: 'closed' })
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
  const answer = await control(openSession({}), 'PATCH', '/assumptions', { signalStatuses: names })
  expect(await answer.clone().text()).toContain(JSON.stringify(message).slice(1, -1))
  await expectInvalid(answer, 'body signalStatuses')
})
