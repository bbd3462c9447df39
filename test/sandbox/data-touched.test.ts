import { expect, it } from 'vitest'

import { openSandbox } from '../support.ts'
import { expectWrong, openRecords } from './data-support.ts'

const sandbox = await openSandbox()
const open = () => openRecords(sandbox)
const LATER = '2026-01-20T08:30:00.000Z'

it.each(['customers', 'signals', 'meetings', 'notes'] as const)(
  'moves the updatedDate of %s to the session’s now with a patch',
  async (collection) => {
    const { data, session } = open()
    const { items } = await data[collection].list({ limit: 10 })
    session.clock.set(LATER)
    for (const { id } of items) {
      const before = await data[collection].get(id)
      const after = await data[collection].patch(id, {})
      expect(after).toEqual({ ...before, updatedDate: LATER })
      expect(await data[collection].get(id)).toEqual(after)
      await data.undo(collection, id)
      expect(await data[collection].get(id)).toEqual(before)
    }
  },
)

it('keeps the updatedDate of a record that is ahead of the session’s clock', async () => {
  const { data, session } = open()
  session.clock.set('2020-01-01T00:00Z')
  for (const collection of ['signals', 'meetings', 'notes'] as const) {
    const { items } = await data[collection].list({ limit: 10 })
    for (const before of items) expect(await data[collection].patch(before.id, {})).toEqual(before)
  }
})

it('keeps the dates of a patched signal in order', async () => {
  const { data, session } = open()
  session.clock.set(LATER)
  const { items } = await data.signals.list()
  for (const { id } of items.filter(({ status, isDraft }) => status === 'open' && !isDraft).slice(0, 9)) {
    const closed = await data.signals.patch(id, { status: 'closed' })
    expect(closed).toMatchObject({ closedDate: LATER, updatedDate: LATER })
    expect(await data.signals.patch(id, { severity: 2 })).toEqual({ ...closed, severity: 2 })
  }
  await expectWrong(data.signals.patch(1, { updatedDate: '2026-01-21T00:00Z' }), 'updatedDate')
})

it('does not touch other records', async () => {
  const { data, session } = open()
  const before = await data.customers.get(1)
  session.clock.set(LATER)
  const { id } = await data.signals.put({ customerId: 1 })
  await data.signals.patch(id, { summary: 'New' })
  await data.members.patch(1, { lastName: 'Holm' })
  const { memberRoles: _, ...customer } = await data.customers.get(1)
  expect(before).toMatchObject(customer)
})
