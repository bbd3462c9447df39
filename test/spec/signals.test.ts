import { expect, it } from 'vitest'

import type { Signal } from '../../src/index.ts'
import { as, home, openSandbox } from '../support.ts'
import { openWith, readIds, readItems } from './support.ts'

const begin = { id: 7, customerId: 1, productId: 90 }
const rest = {
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
const told = { status: 'dismissed', source: 'Meeting', summary: 'They look at another vendor' }

/** A signal with every field set. */
const full = { ...begin, ...told, ...rest }

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

const open = (...signals: readonly object[]) =>
  openWith({ products: [{ id: 90, key: 'atlas', name: 'Atlas' }], customers: [{ id: 1 }], signals })

it('shows a signal with exactly the documented fields, in order, in the list and by its id', async () => {
  const mara = await open(full)
  const shown = { ...begin, productKey: 'atlas', ...told, notes: null, ...rest }
  const signal = await mara.get<Signal>(`${home}/signals/7`)
  expect(JSON.stringify(signal)).toBe(JSON.stringify(shown))
  expect(await mara.get(`${home}/signals`)).toEqual({ items: [signal], totalCount: 1 })
})

it('shows null as notes, the only value that the document lists (assumed A-41)', async () => {
  const signals = await readItems<Signal>(as(await openSandbox(), 'mara'), 'signals?limit=250')
  expect(new Set(signals.map(({ notes }) => notes))).toEqual(new Set([null]))
})

it('shows the text that a signal was arranged with as notes', async () => {
  const sandbox = await openSandbox()
  await sandbox.data.signals.patch(1, { notes: 'Ask again in May.' })
  const [created] = await sandbox.data.signals.create([{ customerId: 1, notes: 'Call first.' }])
  const read = async (id = 0) => (await as(sandbox, 'mara').get<Signal>(`${home}/signals/${id}`)).notes
  expect([await read(1), await read(created?.id)]).toEqual(['Ask again in May.', 'Call first.'])
  await sandbox.data.signals.patch(1, { notes: null })
  expect(await read(1)).toBeNull()
})

it('shows absent texts and dates as "", and an absent lookup, such as a subcategory, as its "none" entry (assumed A-09, A-27)', async () => {
  const mara = await open({ ...full, ...absent, status: 'open', isDraft: true })
  expect(await mara.get(`${home}/signals/7`)).toMatchObject({
    severityExplanation: '',
    latestNote: '',
    raisedDate: '',
    closedDate: '',
    opportunity: '',
    outcomeNotes: '',
    dismissalReason: { id: 1, name: 'Not dismissed' },
    subCategory: { id: 1, name: 'No subcategory' },
    outcome: { id: 1, name: 'No outcome' },
    competitor: { id: 1, name: 'No competitor' },
  })
})

it('filters by status: open, inProgress, closed and dismissed (assumed A-10)', async () => {
  const mara = await open(
    { ...full, id: 1, ...absent, status: 'open' },
    { ...full, id: 2, ...absent, status: 'inProgress' },
    { ...full, id: 3, dismissalReason: null, status: 'closed' },
    { ...full, id: 4, status: 'dismissed' },
  )
  for (const [index, status] of ['open', 'inProgress', 'closed', 'dismissed'].entries()) {
    expect(await readIds(mara, `signals?status=${status}`)).toEqual([index + 1])
  }
  expect(await readIds(mara, 'signals')).toEqual([1, 2, 3, 4])
})

it('ignores the filters of customers, and says so (assumed A-15)', async () => {
  const response = await (await open(full)).send(`${home}/signals?segment=none&memberId=99`)
  expect(response.headers.get('sandbox-warning')).toBe('unknown query parameters ignored: segment, memberId')
  expect(await response.json()).toMatchObject({ totalCount: 1 })
})
