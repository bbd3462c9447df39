import type { Customer, VerdictOptions } from '../../src/index.ts'
import { open as openSession, organizationId } from './scenarios-support.ts'

export { addSeconds, organizationId } from './scenarios-support.ts'

/** A client with a copy of the customers, which it reads in pages of 10. */
export type Syncing = ReturnType<typeof open>

/** Opens a session, and a client with an empty copy. */
export function open() {
  const opened = openSession()
  const { client, sync } = opened
  const copy = new Map<number, Customer>()
  const readPage = async (offset = 0, updatedSince?: string) => {
    const page = await client.listCustomers({ organizationId, offset, limit: 10, updatedSince })
    for (const customer of page.items) copy.set(customer.id, customer)
    return page
  }
  const readAll = async (updatedSince?: string, from = 0): Promise<void> => {
    for (let offset = from; ; offset += 10) {
      const { totalCount } = await readPage(offset, updatedSince)
      if (offset + 10 >= totalCount) return
    }
  }
  /** Finds the greatest `updatedDate` of the copy. */
  const findLatest = () =>
    Array.from(copy.values(), ({ updatedDate }) => updatedDate)
      .toSorted()
      .at(-1) ?? ''
  const judge = (options?: VerdictOptions) => sync.verdict({ customers: [...copy.values()] }, options)
  return { ...opened, copy, readPage, readAll, findLatest, judge }
}

/** Opens a session, and a client that has read everything. */
export async function openSynced(): Promise<Syncing> {
  const syncing = open()
  await syncing.readAll()
  return syncing
}

/** Opens a session, and a client that reads the meetings of all customers that a cursor shows. */
export function openMeetings() {
  const { session, client } = open()
  const meetings = new Map<number, object>()
  const read = async (updatedSince?: string): Promise<void> => {
    const { items } = await client.listCustomers({ organizationId, updatedSince, limit: 250 })
    for (const { id: customerId } of items) {
      const page = await client.listCustomerMeetings({ organizationId, customerId, limit: 250 })
      for (const meeting of page.items) meetings.set(meeting.id, meeting)
    }
  }
  return { session, client, read, judge: () => session.sync.verdict({ meetings: [...meetings.values()] }) }
}
