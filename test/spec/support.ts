import type { DatasetOptions } from '../../src/index.ts'
import { as, type Client, home, type Listed, openSandbox, type Page, words } from '../support.ts'

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

/** Date-times by the rule of `updatedSince` and `minStartDate`: a valid calendar date-time in UTC with `Z`. */
export const validTimes = words(`
  2026-01-10T09:00Z 2026-01-10T09:00:00Z 2026-01-10T09:00:00.5Z 2026-01-10T09:00:00.500000000Z
  2024-02-29T00:00Z 2000-02-29T00:00Z
`)

export const invalidTimes = [
  ...words(`
    1900-02-29T00:00Z 2026-02-29T00:00Z 2026-02-30T00:00:00Z 2026-04-31T00:00Z 2026-13-01T00:00:00Z
    2026-00-10T00:00Z 2026-01-10T24:00:00Z 2026-01-10T09:60Z 2026-01-10T09:00:60Z 2026-01-10T09:00:00
    2026-01-10T09:00:00+00:00 2026-01-10T09:00:00+01:00 2026-01-10T09:00:00.Z 2026-01-10t09:00:00z
    2026-01-10 2026-1-10T09:00Z 1768478400000 now
  `),
  '2026-01-10 09:00Z',
  '',
]
