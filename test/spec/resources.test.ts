import { expect, it } from 'vitest'

import type { Customer, CustomFieldDefinition, Member } from '../../src/index.ts'
import { home, openSandbox } from '../support.ts'
import { openWith, readIds, readItems } from './support.ts'

const createdDate = '2026-01-05T08:00:00.000Z'
const times = { createdDate, updatedDate: '2026-01-06T08:00:00.000Z' }
const parts = { deactivatedDate: null, parentId: null, triggers: [], actions: [] }

const tier = { id: 90, key: 'tier2', name: 'Tier', type: 'select', options: ['Gold', 'Silver'] }
const role = { id: 90, key: 'partner', name: 'Partner manager' }
const product = { id: 90, key: 'atlas', name: 'Atlas' }
const metrics = [
  { id: 90, key: 'usage', name: 'Usage', type: 'percent' },
  { id: 91, key: 'seats', name: 'Seats', type: 'number' },
  { id: 92, key: 'plan', name: 'Plan', type: 'text' },
  { id: 93, key: 'trial', name: 'Trial', type: 'boolean' },
]
const brief = { id: 90, key: 'renewal', name: 'Renewal', description: 'What is due.' }
const content = { id: 90, briefId: 90, customerId: 90, content: '# Atlas', createdDate }
const log = { id: 90, status: 'failed', message: 'Sent.', createdDate }
const note = { id: 90, customerId: 90, content: 'Trained six people.', createdById: 2, ...times }

/** A tenant with a record of each kind; the ids of its own records begin at 90. */
const mara = await openWith({
  customFields: [tier],
  memberRoles: [role],
  noteCategories: [
    { id: 90, name: 'Training', isActive: true },
    { id: 91, name: 'Fax', isActive: false },
  ],
  products: [{ id: 91, key: 'borealis', name: 'Borealis' }, product],
  productMetrics: metrics.toReversed().map((metric) => ({ ...metric, productId: 90 })),
  briefs: [
    { ...brief, isActive: true },
    { ...brief, id: 91, key: 'handover', isActive: false },
  ],
  customers: [{ id: 90, memberRoles: [{ key: 'partner', memberIds: [1] }] }],
  briefContents: [content, { ...content, id: 91, briefId: 91 }, { id: 92, briefId: 90, customerId: 90 }],
  notes: [
    { ...note, categoryId: 90 },
    { ...note, id: 91, categoryId: 91 },
  ],
  automations: [
    { ...parts, id: 90, name: 'Renewal watch', triggers: [{ id: 901 }, { id: 902 }], actions: [{ id: 903 }] },
    { ...parts, id: 91, name: 'Tell the team', parentId: 90, actions: [{ id: 911 }] },
    { ...parts, id: 92, name: 'Tell the lead', parentId: 91, triggers: [{ id: 921 }] },
    { ...parts, id: 93, name: 'Old', deactivatedDate: createdDate },
  ],
  triggerLogs: [{ ...log, automationId: 90, triggerId: 901 }],
  actionLogs: [{ ...log, automationId: 90, actionId: 903 }],
})

/** Expects these records in a list: fields, values and order, and no other record of the fixture. */
async function expectListed(list: string, ...shown: readonly object[]): Promise<void> {
  const items = await readItems(mara, list)
  expect(JSON.stringify(items.filter(({ id }) => id >= 90))).toBe(JSON.stringify(shown))
}

it('shows a member with name, address, organization and manager', async () => {
  const theo = { id: 2, firstName: 'Theo', lastName: 'Brandt', email: 'theo.brandt@harboranalytics.example' }
  const shown = { ...theo, organizationId: 'harbor', managerId: 4 }
  expect(JSON.stringify(await mara.get(`${home}/members/2`))).toBe(JSON.stringify(shown))
})

it('shows the same member as the caller, in the list and by its id', async () => {
  const me = await mara.get('/members/me')
  expect(await mara.get(`${home}/members/1`)).toEqual(me)
  expect((await readItems(mara, 'members'))[0]).toEqual(me)
})

it('lists members whose managers are members too', async () => {
  const members = await readItems<Member>(mara, 'members')
  const ids = new Set(members.map(({ id }) => id))
  expect(members.length).toBeGreaterThanOrEqual(7)
  expect(members.filter(({ managerId }) => !ids.has(managerId))).toEqual([])
})

it('shows the member at the top as its own manager (assumed A-09)', async () => {
  expect(await mara.get(`${home}/members/6`)).toMatchObject({ firstName: 'Helen', managerId: 6 })
})

it('lists custom fields with id, key, name, type and options (assumed A-23)', () =>
  expectListed('custom-fields', tier))

it('has custom fields of the types text, number, boolean, date and select, of which only the last has options (assumed A-23)', async () => {
  const fields = await readItems<CustomFieldDefinition>(mara, 'custom-fields')
  const types = ['text', 'number', 'boolean', 'date', 'select']
  expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(types))
  expect(fields.filter(({ type, options }) => (type === 'select') !== options.length > 0)).toEqual([])
})

it('lists member roles with id, key and name', () => expectListed('member-roles', role))

it('shows a role of a customer with the name of its definition', async () => {
  const { memberRoles } = await mara.get<Customer>(`${home}/customers/90`)
  expect(memberRoles).toMatchObject([{ key: 'partner', name: 'Partner manager' }])
})

it('lists products with id, key and name (assumed A-25)', () =>
  expectListed('products', product, { id: 91, key: 'borealis', name: 'Borealis' }))

it('lists the metrics of a product with id, key, name and type: number, percent, text or boolean (assumed A-26)', () =>
  expectListed('products/90/metrics', ...metrics))

it('returns an empty array for a product without metrics (assumed A-02)', async () => {
  expect(await mara.get(`${home}/products/91/metrics`)).toEqual([])
})

it('lists active brief definitions with id, key, name and description (assumed A-21)', () =>
  expectListed('briefs', brief))

it('shows a brief content with id, briefId, customerId, content and createdDate, and generates a content that a fixture omits, in Markdown (assumed A-22)', async () => {
  const [shown, drawn] = await readItems(mara, 'customers/90/briefs/90/contents')
  expect(JSON.stringify(shown)).toBe(JSON.stringify(content))
  expect(drawn).toMatchObject({ id: 92, content: expect.stringMatching(/^#+ \S/m) })
})

it('lists active note categories with id and name (assumed A-24)', () =>
  expectListed('note-categories', { id: 90, name: 'Training' }))

it('keeps a note whose category, and contents whose brief, are no longer active (assumed A-38)', async () => {
  const [, kept] = await readItems(mara, 'customers/90/notes')
  expect(kept).toMatchObject({ category: { id: 91, name: 'Fax' } })
  expect(await readIds(mara, 'customers/90/briefs/91/contents')).toEqual([91])
})

it('shows a note with its category, author and times (assumed A-18)', async () => {
  const [shown] = await readItems(mara, 'customers/90/notes')
  const { id, customerId, ...rest } = note
  const category = { id: 90, name: 'Training' }
  expect(JSON.stringify(shown)).toBe(JSON.stringify({ id, customerId, category, ...rest }))
})

const lead = { id: 92, name: 'Tell the lead', deactivatedDate: '', triggers: [{ id: 921 }], actions: [] }
const team = { id: 91, name: 'Tell the team', deactivatedDate: '', triggers: [], actions: [{ id: 911 }] }
const child = { ...team, children: [{ ...lead, children: [] }] }

it('shows the triggers and actions of an automation by their ids, and its children, and theirs, in the same form (assumed A-30)', async () => {
  const shown = { id: 90, name: 'Renewal watch', deactivatedDate: '', triggers: [{ id: 901 }, { id: 902 }] }
  const whole = { ...shown, actions: [{ id: 903 }], children: [child] }
  expect(JSON.stringify(await mara.get(`${home}/automations/90`))).toBe(JSON.stringify(whole))
  expect(await mara.get(`${home}/automations/91`)).toEqual(child)
})

it('lists id, name and deactivatedDate, "" if it is active, of the automations that are not the child of another (assumed A-09, A-19)', () =>
  expectListed(
    'automations',
    { id: 90, name: 'Renewal watch', deactivatedDate: '' },
    { id: 93, name: 'Old', deactivatedDate: createdDate },
  ))

it('shows when an automation was deactivated', async () => {
  expect(await mara.get(`${home}/automations/93`)).toMatchObject({ deactivatedDate: createdDate })
})

it('shows a trigger log entry with id, status, message and createdDate', () =>
  expectListed('automations/90/triggers/901/logs', log))

it('lists an action’s log in the form of a trigger’s (assumed A-20)', () =>
  expectListed('automations/90/actions/903/logs', log))

it('shows only the states info and failed in a log', async () => {
  const { dataset } = await openSandbox()
  expect(new Set(dataset.rows.triggerLogs.map(({ status }) => status))).toEqual(new Set(['info', 'failed']))
})
