import type { Client } from '../../src/client.ts'
import type { Customer, SessionHandle, Entry } from '../../src/index.ts'
import { open as openSession, organizationId } from './scenarios-support.ts'

export { addSeconds, organizationId } from './scenarios-support.ts'

/** A client with a copy of the customers. */
export interface Syncing {
  readonly session: SessionHandle
  readonly client: Client
  readonly copy: Map<number, Customer>
}

/** Opens a session, and a client with an empty copy. */
export function open(): Syncing {
  return { ...openSession(), copy: new Map() }
}

/** Opens a session, and a client that reads the meetings of customers, by default of all. */
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
  return { session, meetings, read }
}

/** Reads a page of customers, and stores it. */
export async function readPage({ client, copy }: Syncing, offset = 0, updatedSince?: string) {
  const page = await client.listCustomers({ organizationId, offset, limit: 10, updatedSince })
  for (const customer of page.items) copy.set(customer.id, customer)
  return page
}

/** Reads every page from some offset on, and stores it. */
export async function readAll(syncing: Syncing, updatedSince?: string, from = 0): Promise<void> {
  for (let offset = from; ; offset += 10) {
    const { totalCount } = await readPage(syncing, offset, updatedSince)
    if (offset + 10 >= totalCount) return
  }
}

/** Finds the greatest `updatedDate` of a copy. */
export const findLatest = ({ copy }: Syncing): string =>
  Array.from(copy.values(), ({ updatedDate }) => updatedDate)
    .toSorted()
    .at(-1) ?? ''

/** Judges the copy of a client. */
export const judge = ({ session, copy }: Syncing) => session.sync.verdict({ customers: [...copy.values()] })

/** Picks why rows are not correct. */
export const brief = (entries: readonly Entry[]) =>
  entries.map(({ id, reason, requests, heals }) => ({ id, reason, requests, heals }))
