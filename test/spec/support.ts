import type { DatasetOptions } from '../../src/index.ts'
import { as, type Client, home, openSandbox, type Page } from '../support.ts'

interface Listed {
  readonly id: number
}

/** Opens a sandbox with these records, members and definitions only, and returns a client of the default caller. */
export async function openWith(records: object, options: DatasetOptions = {}): Promise<Client> {
  return as(await openSandbox({ fixture: { extends: 'empty', ...records }, ...options }), 'mara')
}

/** Opens a sandbox with these customers. */
export const openCustomers = (...customers: readonly object[]): Promise<Client> => openWith({ customers })

/** Reads the records of a list of the default caller's organization, with pagination or without. */
export async function readItems<T extends Listed>(client: Client, list: string): Promise<readonly T[]> {
  const body = await client.get<Page<T> | readonly T[]>(`${home}/${list}`)
  return 'items' in body ? body.items : body
}

/** Reads the ids of such a list. */
export const readIds = async (client: Client, list: string): Promise<number[]> =>
  (await readItems(client, list)).map(({ id }) => id)
