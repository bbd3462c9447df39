import * as z from 'zod'

import { idParameter } from '../../contract/fields.ts'
import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { didYouMean } from '../../core/nearest.ts'
import { mapInSlices, readInSlices } from '../../core/slices.ts'
import { readName } from '../../core/words.ts'
import type { Data, SessionData } from '../../store/session-data.ts'
import { nameRecord, type Row, type TableName, tableNames } from '../../store/tables.ts'

export const FoundRecord = lazyObject(() => ({
  collection: z.enum(tableNames),
  id: z.int(),
  organizationId: z.string(),
  name: z.string(),
}))
export type FoundRecord = z.infer<typeof FoundRecord>

/** The tables whose records people know by name. */
const named = [
  'customers',
  'members',
  'automations',
  'products',
  'briefs',
  'customFields',
  'memberRoles',
  'noteCategories',
  'productMetrics',
] as const satisfies readonly TableName[]

/** The tables whose records people look up by id; without the logs, which take the meetings of the customers before. */
const numbered = tableNames.filter((name) => name !== 'actionLogs' && name !== 'triggerLogs')

function toFound(collection: TableName, row: Row<TableName>): FoundRecord {
  const { id, organizationId } = row
  let name = 'topic' in row ? row.topic : nameRecord(collection, id)
  if ('firstName' in row) name = `${row.firstName} ${row.lastName}`
  else if ('name' in row) ({ name } = row)
  else if ('summary' in row && row.summary !== null) name = row.summary
  return { collection, id, organizationId, name }
}

/** Finds records by their id, then by a part of their name. Order: of the tables; names that begin with the text first. */
export async function findRecords(
  session: SessionData,
  text: string,
  limit: number,
): Promise<{ readonly items: FoundRecord[]; readonly totalCount: number }> {
  // A copy, so that all records are of one time.
  const data = session.copy()
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined
  const byId: FoundRecord[] = []
  for (const table of id === undefined ? [] : numbered) {
    const row = await readInSlices(() => data.get(table, id ?? 0))
    if (row) byId.push(toFound(table, row))
  }
  const searched = text.toLowerCase()
  const [beginning, other]: [FoundRecord[], FoundRecord[]] = [[], []]
  for (const table of named) {
    const rows: readonly Row<TableName>[] = await readInSlices(() => data.select(table, []).page())
    await mapInSlices(rows, (row) => {
      const record = toFound(table, row)
      const place = record.name.toLowerCase().indexOf(searched)
      if (place >= 0 && row.id !== id) (place === 0 ? beginning : other).push(record)
    })
  }
  const matches = [...byId, ...beginning, ...other]
  return { items: matches.slice(0, limit), totalCount: matches.length }
}

/** Reads the name of a table, or what a caller without types gives. Errors: not_found. */
export function readTable(input: unknown): TableName {
  const name = readName(input)
  const table = tableNames.find((one) => one === name)
  if (table) return table
  throw new SandboxError('not_found', `There is no collection ${name}. ${didYouMean(name, tableNames)}`)
}

/** Reads the id of a record as in a path. Errors: invalid_request. */
export const readId = (id: unknown): number => parseInput(idParameter, id, ['id'], 'path')

/** Finds a record by its id. Errors: not_found. */
export function findRow<T extends TableName>(table: T, id: number, data: Data): Row<T> {
  const row = data.get(table, id)
  if (!row) throw new SandboxError('not_found', `There is no ${nameRecord(table, id)}.`)
  return row
}
