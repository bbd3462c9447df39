import { expect, it } from 'vitest'

import type { Signal } from '../../src/index.ts'
import { as, type Client, openSandbox, type Page } from '../support.ts'

const atlas = { id: 90, key: 'atlas', name: 'Atlas' }

/** A signal with every field set. */
const full = {
  id: 7,
  customerId: 1,
  productId: 90,
  status: 'dismissed',
  source: 'Meeting',
  summary: 'They look at another vendor',
  severity: 4,
  severityExplanation: 'The contract ends in spring.',
  createdById: 1,
  updatedById: 2,
  ownerId: 3,
  latestNote: 'Called them.',
  isDraft: false,
  isPrimary: true,
  createdDate: '2026-01-02T08:00:00.000Z',
  raisedDate: '2026-01-02T09:00:00.000Z',
  closedDate: '2026-01-08T09:00:00.000Z',
  updatedDate: '2026-01-08T09:00:00.000Z',
  opportunity: 'Two more seats',
  category: { id: 2, name: 'Churn risk' },
  dismissalReason: { id: 3, name: 'Duplicate' },
  subCategory: { id: 4, name: 'Pricing' },
  outcome: { id: 5, name: 'Renewed' },
  outcomeNotes: 'For two years.',
  competitor: { id: 6, name: 'Zeta' },
  type: { id: 7, name: 'Risk', color: '#d33' },
}

/** The fields that may be absent. */
const absent = {
  severityExplanation: null,
  latestNote: null,
  raisedDate: null,
  closedDate: null,
  opportunity: null,
  dismissalReason: null,
  subCategory: null,
  outcome: null,
  outcomeNotes: null,
  competitor: null,
}

const openWith = (...signals: readonly object[]) =>
  openSandbox({ fixture: { extends: 'empty', products: [atlas], customers: [{ id: 1 }], signals } })

async function idsFor(client: Client, query: string): Promise<number[]> {
  const { items } = await client.get<Page<Signal>>(`/organizations/harbor/signals?${query}`)
  return items.map(({ id }) => id)
}

it('shows a signal with exactly the documented fields, in order, in the list and by its id', async () => {
  const mara = as(await openWith(full), 'mara')
  const { id, customerId, productId, status, source, summary, ...rest } = full
  const shown = {
    id,
    customerId,
    productId,
    productKey: 'atlas',
    status,
    source,
    summary,
    notes: null,
    ...rest,
  }
  const signal = await mara.get<Signal>('/organizations/harbor/signals/7')
  expect(JSON.stringify(signal)).toBe(JSON.stringify(shown))
  expect(await mara.get('/organizations/harbor/signals')).toEqual({ items: [signal], totalCount: 1 })
})

it('shows null as notes, the only value that the document lists (assumed A-41)', async () => {
  const mara = as(await openSandbox(), 'mara')
  const { items } = await mara.get<Page<Signal>>('/organizations/harbor/signals?limit=250')
  expect(new Set(items.map(({ notes }) => notes))).toEqual(new Set([null]))
})

it('shows the text that a signal was arranged with as notes', async () => {
  const sandbox = await openSandbox()
  await sandbox.data.signals.patch(1, { notes: 'Ask again in May.' })
  const [created] = await sandbox.data.signals.create([{ customerId: 1, notes: 'Call first.' }])
  const mara = as(sandbox, 'mara')
  const read = async (id = 0) => (await mara.get<Signal>(`/organizations/harbor/signals/${id}`)).notes
  expect([await read(1), await read(created?.id)]).toEqual(['Ask again in May.', 'Call first.'])
  await sandbox.data.signals.patch(1, { notes: null })
  expect(await read(1)).toBeNull()
})

it('shows absent texts and dates as "", and an absent lookup as its "none" entry (assumed A-09)', async () => {
  const mara = as(await openWith({ ...full, ...absent, status: 'open', isDraft: true }), 'mara')
  expect(await mara.get('/organizations/harbor/signals/7')).toMatchObject({
    severityExplanation: '',
    latestNote: '',
    raisedDate: '',
    closedDate: '',
    opportunity: '',
    outcomeNotes: '',
    dismissalReason: { id: 1, name: 'Not dismissed' },
    outcome: { id: 1, name: 'No outcome' },
    competitor: { id: 1, name: 'No competitor' },
  })
})

it('shows a subcategory with id and name (assumed A-27)', async () => {
  const mara = as(await openWith(full, { ...full, id: 8, subCategory: null }), 'mara')
  const { items } = await mara.get<Page<Signal>>('/organizations/harbor/signals')
  expect(items.map(({ subCategory }) => subCategory)).toEqual([
    { id: 4, name: 'Pricing' },
    { id: 1, name: 'No subcategory' },
  ])
})

it('filters by status: open, inProgress, closed and dismissed (assumed A-10)', async () => {
  const sandbox = await openWith(
    { ...full, id: 1, ...absent, status: 'open' },
    { ...full, id: 2, ...absent, status: 'inProgress' },
    { ...full, id: 3, dismissalReason: null, status: 'closed' },
    { ...full, id: 4, status: 'dismissed' },
  )
  const mara = as(sandbox, 'mara')
  expect(await idsFor(mara, 'status=open')).toEqual([1])
  expect(await idsFor(mara, 'status=inProgress')).toEqual([2])
  expect(await idsFor(mara, 'status=closed')).toEqual([3])
  expect(await idsFor(mara, 'status=dismissed')).toEqual([4])
  expect(await idsFor(mara, '')).toEqual([1, 2, 3, 4])
})

it('ignores the filters of customers, and says so (assumed A-15)', async () => {
  const mara = as(await openWith(full), 'mara')
  const response = await mara.send('/organizations/harbor/signals?segment=none&memberId=99')
  expect(response.headers.get('sandbox-warning')).toBe('unknown query parameters ignored: segment, memberId')
  expect(await response.json()).toMatchObject({ totalCount: 1 })
})

it('dates a signal in the order created, raised unless it is a draft, closed once it has ended, updated (assumed A-10)', async () => {
  const now = '2026-01-15T12:00:00.000Z'
  const mara = as(await openSandbox({ now, size: 100 }), 'mara')
  const { items } = await mara.get<Page<Signal>>('/organizations/harbor/signals?limit=250')
  const kinds = new Set<string>()
  for (const { createdDate, raisedDate, closedDate, updatedDate, ...signal } of items) {
    const times = [createdDate, raisedDate, closedDate, updatedDate, now].filter((time) => time !== '')
    expect(times, `signal ${signal.id}`).toEqual(times.toSorted())
    const { status, isDraft, dismissalReason } = signal
    expect([raisedDate === '', closedDate !== '', dismissalReason.id !== 1], `signal ${signal.id}`).toEqual([
      isDraft,
      status === 'closed' || status === 'dismissed',
      status === 'dismissed',
    ])
    kinds.add(isDraft ? 'draft' : status)
  }
  expect(kinds).toEqual(new Set(['draft', 'open', 'inProgress', 'closed', 'dismissed']))
})
