import { expect, it, onTestFinished, vi } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { temporaryFolder } from '../folders.ts'
import { as, home, note, openSandbox } from '../support.ts'
import { expectRejected, expectWrong } from './data-support.ts'

const sandbox = await openSandbox()
const NOW = '2026-01-15T12:00:00.000Z'
const LATE = `must not be after the session's time, which is ${NOW}`
const NONE = { id: 1, name: 'Not dismissed' }

const open = () => sandbox.session().data

it('moves a signal through its states with patches of the status', async () => {
  const { signals } = open()
  expect(await signals.get(1)).toMatchObject({ status: 'open', closedDate: '' })
  const dismissed = await signals.patch(1, { status: 'dismissed' })
  expect(dismissed).toMatchObject({ closedDate: NOW, updatedDate: NOW })
  expect(dismissed.dismissalReason).not.toEqual(NONE)
  expect(await signals.patch(1, { status: 'closed' })).toMatchObject({
    closedDate: NOW,
    dismissalReason: NONE,
  })
  expect(await signals.patch(1, { status: 'open' })).toMatchObject({ closedDate: '', dismissalReason: NONE })
  expect(await signals.patch(1, { isDraft: true })).toMatchObject({ raisedDate: '' })
  expect(await signals.patch(1, { isDraft: false })).toMatchObject({ raisedDate: NOW })
})

it('generates an updatedDate after the closedDate of a signal that is open again', async () => {
  const { signals } = open()
  const given = { status: 'open', closedDate: '2026-01-10T00:00:00.000Z' } as const
  for (let id = 9_001; id <= 9_010; id += 1) expect(await signals.put({ id, ...given })).toMatchObject(given)
})

it('rejects a signal that contradicts itself', async () => {
  const { signals } = open()
  await expectWrong(signals.put({ isDraft: true, raisedDate: '2026-01-01T00:00Z' }), 'raisedDate')
  await expectWrong(signals.put({ status: 'closed', closedDate: '' }), 'closedDate')
  await expectWrong(signals.put({ status: 'dismissed', dismissalReason: null }), 'dismissalReason')
  const reversed = { createdDate: '2026-01-02T00:00Z', raisedDate: '2026-01-01T00:00Z' }
  await expectWrong(signals.put(reversed), 'raisedDate')
  await expectWrong(signals.put({ updatedDate: '2026-01-16T00:00Z' }), 'updatedDate')
  await expectWrong(signals.patch(3, { closedDate: '2020-01-01T00:00Z' }), 'closedDate')
})

it('rejects a meeting or a note whose dates are not in order, and names what was given', async () => {
  const data = open()
  const { meetings } = data
  const early = '2020-01-01T00:00Z'
  await expectWrong(meetings.patch(1, { endDate: early }), 'endDate')
  await expectWrong(meetings.put({ startDate: '2026-01-02T09:00Z', endDate: early }), 'endDate')
  await expectWrong(meetings.patch(1, { updatedDate: early }), 'updatedDate')
  await expectWrong(data.notes.patch(1, { updatedDate: early }), 'updatedDate')
  await expectWrong(data.notes.put({ createdDate: NOW, updatedDate: early }), 'updatedDate')
  const { updatedDate } = await data.notes.get(1)
  const late = '2026-01-15T12:00:00.001Z'
  await expectWrong(data.notes.patch(1, { createdDate: late, updatedDate }), 'updatedDate')
  await expectWrong(data.notes.patch(1, { createdDate: late }), 'createdDate')
  expect(await data.changes()).toEqual([])
})

it('names only the given date of a signal that is after the session’s time, not those that follow it', async () => {
  const { signals } = open()
  for (const field of ['createdDate', 'raisedDate', 'updatedDate'] as const)
    await expectWrong(signals.put({ [field]: '2026-03-01T00:00Z' }), `${field}: ${LATE}`)
})

it('lets no member leave after the session’s time, since the token would end at once', async () => {
  const session = sandbox.session()
  const { members } = session.data
  const leftDate = '2026-03-01T00:00:00.000Z'
  await expectWrong(members.patch(9, { leftDate }), `leftDate: ${LATE}`)
  session.clock.set(leftDate)
  expect(await members.patch(9, { leftDate })).toMatchObject({ leftDate })
  session.clock.reset()
  expect(await members.patch(9, { title: 'Advisor' })).toMatchObject({ leftDate })
})

it('takes the date on which a member has left in any form, and a patch with null brings the member back', async () => {
  const session = sandbox.session()
  const { members } = session.data
  const list = async () =>
    (await as(session, 'mara').get<{ id: number }[]>(`${home}/members`)).map(({ id }) => id)
  const before = await list()
  const gone = await members.patch(9, { leftDate: '2026-01-10T08:00Z' })
  expect(gone.leftDate).toBe('2026-01-10T08:00:00.000Z')
  expect(await list()).not.toContain(9)
  expect((await members.patch(9, { leftDate: null })).leftDate).toBeUndefined()
  expect(await list()).toEqual(before)
})

it('has a transcript exactly if the meeting was transcribed', async () => {
  const { meetings } = open()
  const transcript = [{ speaker: 'Mara Ellis', text: 'Good morning.', startSeconds: 0, endSeconds: 2 }]
  expect(await meetings.put({ transcript })).toMatchObject({ hasTranscript: true, transcript })
  const without = { hasTranscript: false, transcript: null }
  expect(await meetings.patch(1, { transcript: null })).toMatchObject(without)
  const drawn = await meetings.patch(1, { hasTranscript: true })
  expect(drawn.transcript?.length).toBeGreaterThan(5)
  await expectWrong(meetings.put({ hasTranscript: false, transcript }), 'transcript')
  await expectWrong(meetings.put({ hasTranscript: true, transcript: null }), 'transcript')
})

it('shows a transcript as it follows from the present meetings, whoever has read it before', async () => {
  const [cold, warm] = [sandbox.session(), sandbox.session()]
  const { items } = await cold.data.meetings.list({ organizationId: 'harbor', limit: 20 })
  const [deleted, kept] = [items.filter((_, at) => at % 2 === 0), items.filter((_, at) => at % 2 === 1)]
  const read = async (session: typeof cold): Promise<string[]> => {
    const mara = as(session, 'mara')
    const paths = kept.map(({ id, customerId }) => `${home}/customers/${customerId}/meetings/${id}`)
    return Promise.all(paths.map(async (path) => (await mara.send(path)).text()))
  }
  const before = await read(warm)
  for (const { id } of deleted) for (const { data } of [cold, warm]) await data.meetings.delete(id)
  expect(await read(cold)).not.toEqual(before)
  expect(await read(warm)).toEqual(await read(cold))
})

it('keeps the length of a meeting that is moved', async () => {
  const { meetings } = open()
  const moved = await meetings.patch(1, { startDate: '2026-02-02T09:00Z' })
  expect(moved).toMatchObject({ startDate: '2026-02-02T09:00:00.000Z', endDate: '2026-02-02T10:00:00.000Z' })
})

it('generates a text again that is set to null', async () => {
  const { triggerLogs, briefContents } = open()
  const [log] = (await triggerLogs.list()).items
  const id = log?.id ?? 0
  expect(await triggerLogs.patch(id, { message: 'Mine' })).toMatchObject({ message: 'Mine' })
  expect(await triggerLogs.patch(id, { message: null })).toEqual(log)
  const content = await briefContents.get(1)
  await briefContents.patch(1, { content: '# Mine' })
  expect(await briefContents.patch(1, { content: null })).toEqual(content)
})

it('writes the children of an automation with it', async () => {
  const { automations, triggerLogs } = open()
  const children = [{ name: 'B', children: [{ name: 'C' }] }, { id: 2 }]
  const parent = await automations.put({ name: 'A', triggers: [900], children })
  expect(parent).toMatchObject({ name: 'A', parentId: null, triggers: [{ id: 900 }] })
  expect(parent.children.map(({ name }) => name)).toEqual(['Renewal countdown', 'B'])
  expect(parent.children[1]?.children).toMatchObject([{ name: 'C', children: [] }])
  expect(await automations.get(2)).toMatchObject({ parentId: parent.id })
  const log = await triggerLogs.put({ triggerId: 900 })
  expect(log).toMatchObject({ automationId: parent.id, createdDate: NOW })

  const [countdown] = parent.children
  const fewer = await automations.patch(parent.id, { children: countdown ? [countdown] : [], triggers: [] })
  expect(fewer).toEqual({ ...parent, triggers: [], children: [countdown] })
  await expectRejected(triggerLogs.get(log.id), 'not_found')
  await expectRejected(automations.get(parent.children[1]?.id ?? 0), 'not_found')
  await expectWrong(automations.patch(2, { children: [{ id: 2 }] }), 'parentId', 'children[0].id')
})

it('does not delete a record that others refer to, and names the first of them', async () => {
  const data = open()
  const refused = {
    code: 'conflict',
    message: expect.stringMatching(/^Cannot delete .+ \d+: \w.* refers? to it\. Change/),
  }
  for (const name of ['members', 'products', 'memberRoles', 'customFields', 'noteCategories'] as const) {
    await expect(data[name].delete(1)).rejects.toMatchObject(refused)
  }
  await expect(data.productMetrics.delete(11)).rejects.toMatchObject(refused)
  expect(await data.changes()).toEqual([])
  const { id } = await data.memberRoles.put({ name: 'Pilot' })
  expect(await data.memberRoles.delete(id)).toEqual({ memberRoles: 1 })
})

it('counts the records that refer to one, also after a restart, and after others were deleted', async () => {
  const folder = temporaryFolder()
  const first = await startSandbox({ port: 0, size: 'small', data: folder })
  const refuse = ({ sandbox: { data } }: typeof first) => data.members.delete(3).catch(String)
  await first.sandbox.data.signals.put({ customerId: 2, ownerId: 3 })
  const refusal = await refuse(first)
  expect(refusal).toContain('other records refer to it')
  await first.close()
  const again = await startSandbox({ port: 0, data: folder })
  onTestFinished(() => again.close())
  expect(await refuse(again)).toBe(refusal)
  const { customers } = again.sandbox.data
  await customers.put({ id: 900 })
  await customers.delete(900)
  expect(await refuse(again)).toBe(refusal)
})

it('deletes a record whose key another organization refers to', async () => {
  const { memberRoles, customers } = open()
  const { id } = await memberRoles.put({ key: 'pilot' })
  await memberRoles.put({ key: 'pilot', organizationId: 'quill' })
  await customers.patch(1_000_001, { memberRoles: [{ key: 'pilot', members: [] }] })
  expect(await memberRoles.delete(id)).toEqual({ memberRoles: 1 })
})

it('does not change a key that other records refer to', async () => {
  const data = open()
  await expectRejected(data.memberRoles.patch(1, { key: 'success' }), 'conflict')
  await expectRejected(data.products.put({ id: 1, key: 'charts' }), 'conflict')
  const renamed = await data.products.put({ id: 1, name: 'Charts' })
  expect(renamed).toMatchObject({ key: 'dashboards', name: 'Charts' })
  await expectWrong(data.products.put({ key: 'dashboards' }), 'key')
  expect((await data.products.put({})).key).not.toBe((await data.products.put({})).key)
})

it('generates the options that fit the type of a custom field', async () => {
  const { customFields } = open()
  const { id, options } = await customFields.put({ type: 'select' })
  expect(options.length).toBeGreaterThan(0)
  expect(await customFields.patch(id, { type: 'text' })).toMatchObject({ options: [] })
  await expectWrong(customFields.patch(id, { options: ['a'] }), 'options')
  expect(await customFields.put({ options: ['a'] })).toMatchObject({ type: 'select', options: ['a'] })
})

it('creates records of several collections that refer to each other, all or none', async () => {
  const data = open()
  const batch = {
    signals: [{ customerId: 900, productKey: 'maps' }],
    customers: [{ id: 900, memberRoles: [{ key: 'pilot', members: [700] }], products: [{ key: 'maps' }] }],
    members: [
      { id: 700, managerId: 701 },
      { id: 701, managerId: null },
    ],
    memberRoles: [{ key: 'pilot', name: 'Pilot' }],
    products: [{ key: 'maps' }],
  }
  const wrong = { ...batch, notes: [{ customerId: 900 }, { customerId: 901 }] }
  await expectWrong(data.create(wrong), 'notes[1].customerId')
  expect(await data.changes()).toEqual([])
  const { customers = [], signals = [], members = [] } = await data.create(batch)
  expect(customers[0]).toMatchObject({
    memberRoles: [{ name: 'Pilot', members: [{ id: 700 }] }],
    products: [{ key: 'maps' }],
  })
  expect(signals[0]).toMatchObject({ customerId: 900, productKey: 'maps' })
  expect(members.map(({ managerId }) => managerId)).toEqual([701, 701])
  await expectRejected(data.customers.create([{ name: 'New' }, { id: 900 }]), 'conflict')
  await expectWrong(data.customers.create([{}, { segment: 1 as never }]), '[1].segment')
  expect((await data.customers.list({ organizationId: 'harbor' })).totalCount).toBe(26)
})

it('deletes a note that is written while its customer is being deleted', async () => {
  const session = (await openSandbox({ size: 'small' })).session()
  await session.data.signals.create(Array.from({ length: 100 }, () => ({ customerId: 1 })))
  // A slice is over after a few steps, however fast the machine is.
  let nowMs = performance.now()
  const stopwatch = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1))
  onTestFinished(() => stopwatch.mockRestore())
  const deleting = session.data.customers.delete(1)
  await new Promise((resolve) => setImmediate(resolve))
  const { id } = await as(session, 'mara').post<{ readonly id: number }>(`${home}/customers/1/notes`, note)
  await deleting
  const change = expect.objectContaining({ collection: 'notes', id })
  expect(await session.data.changes()).not.toContainEqual(change)
  await session.restoreState(await session.saveState())
  session.close()
})
