import { type Client, createClient } from '../../src/client.ts'
import { createSandbox, type Customer, type SessionHandle } from '../../src/index.ts'

/** The tenant of every client here: 40 customers, so that a page of 10 is a quarter. */
export const sandbox = await createSandbox({ size: 40 })

export const organizationId = 'harbor'

/** Opens a session, and a client for Mara. */
export function open() {
  const session = sandbox.session()
  const { data, clock, scenarios, faults, sync, requests } = session
  /** Lists what scenarios did. Order: as they did it. */
  const listActs = (): string[] =>
    requests.list().flatMap(({ scenarios: acts = [] }) => acts.map(({ did }) => did))
  return { session, client: connect(session), data, clock, scenarios, faults, sync, requests, listActs }
}

/** Creates a client with a token. */
export const connect = ({ fetch }: Pick<SessionHandle, 'fetch'>, token = 'sbx_harbor_1'): Client =>
  createClient({ baseUrl: 'http://sandbox/v1', token, fetch })

/** Reads every page of the customers. */
export async function readAll(client: Client, updatedSince?: string): Promise<Customer[]> {
  const customers: Customer[] = []
  for await (const one of client.each.listCustomers({ organizationId, updatedSince, limit: 10 })) {
    customers.push(one)
  }
  return customers
}

/** Adds seconds to an instant. */
export const addSeconds = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1_000).toISOString()
