import { type Client, createClient } from '../../src/client.ts'
import { createSandbox, type Customer, type ScenarioInput, type SessionHandle } from '../../src/index.ts'

/** The tenant of every client here: 40 customers, so that a page of 10 is a quarter. */
export const sandbox = await createSandbox({ size: 40 })

export const organizationId = 'harbor'

/** The copy that a client keeps of the customers: the number of employees, by id. */
export type Copy = Map<number, number>

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

/** Opens a session in which a client has read everything, and then a scenario begins. */
export async function openSynced(scenario: ScenarioInput) {
  const opened = open()
  const customers = await readAll(opened.client)
  opened.scenarios.add(scenario)
  return { ...opened, copy: toCopy(customers), cursor: findLatest(customers) }
}

/** Creates the copy of a client that has read these customers, a later one in place of an earlier one. */
export function toCopy(customers: readonly Customer[], before: Copy = new Map()): Copy {
  return new Map([...before, ...customers.map(({ id, employeeCount }) => [id, employeeCount] as const)])
}

/** Reads every page of the customers. */
export async function readAll(client: Client, updatedSince?: string): Promise<Customer[]> {
  const customers: Customer[] = []
  for await (const one of client.each.listCustomers({ organizationId, updatedSince, limit: 10 })) {
    customers.push(one)
  }
  return customers
}

/** Finds the greatest `updatedDate`. */
export const findLatest = (customers: readonly Customer[], cursor = ''): string =>
  [cursor, ...customers.map(({ updatedDate }) => updatedDate)].toSorted().at(-1) ?? cursor

/** Adds seconds to an instant. */
export const addSeconds = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1_000).toISOString()

/** Reads the truth behind the service, in the form of a copy. */
export async function readTruth({ data }: Pick<SessionHandle, 'data'>): Promise<Copy> {
  const { items } = await data.customers.list({ organizationId })
  return new Map(items.map(({ id, employeeCount }) => [id, employeeCount]))
}
