import * as z from 'zod'

import { SandboxError } from '../../core/errors.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { getOrCreate } from '../../core/maps.ts'
import { readInSlices, runInSlices } from '../../core/slices.ts'
import type { Dataset } from '../../store/dataset.ts'
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

const ROWS_PER_STEP = 500

interface NamedRecord extends FoundRecord {
  readonly searched: string
}

const indexes = new WeakMap<Dataset, Promise<readonly NamedRecord[]>>()

/** Indexes the names of a dataset, once, in slices between which others run. */
const readNames = (dataset: Dataset): Promise<readonly NamedRecord[]> =>
  getOrCreate(indexes, dataset, () => {
    const index = runInSlices(function* readRows() {
      const records: NamedRecord[] = []
      for (const table of named) {
        const rows: readonly Row<TableName>[] = dataset.tables[table].rows
        for (const [at, row] of rows.entries()) {
          records.push(toNamed(table, row))
          if (at % ROWS_PER_STEP === 0) yield
        }
      }
      return records
    })
    index.catch(() => indexes.delete(dataset))
    return index
  })

function toNamed(collection: TableName, row: Row<TableName>): NamedRecord {
  const { id, organizationId } = row
  let name = 'topic' in row ? row.topic : nameRecord(collection, id)
  if ('firstName' in row) name = `${row.firstName} ${row.lastName}`
  else if ('name' in row) ({ name } = row)
  else if ('summary' in row && row.summary !== null) name = row.summary
  return { collection, id, organizationId, name, searched: name.toLowerCase() }
}

/** Finds records by their id, then by a part of their name. Order: of the tables; names that begin with the text first. */
export async function findRecords(
  data: SessionData,
  text: string,
  limit: number,
): Promise<{ readonly items: FoundRecord[]; readonly totalCount: number }> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined
  const byId: NamedRecord[] = []
  for (const table of id === undefined ? [] : numbered) {
    const row = await readInSlices(() => data.get(table, id ?? 0))
    if (row) byId.push(toNamed(table, row))
  }
  const searched = text.toLowerCase()
  const index = await readNames(data.dataset)
  const changed = new Map(
    data.changes().flatMap((change): [string, NamedRecord | undefined][] => {
      const { table, id: changedId } = change
      if (!named.some((name) => name === table)) return []
      const row = data.get(table, changedId)
      return [[`${table}/${changedId}`, row ? toNamed(table, row) : undefined]]
    }),
  )
  const unchanged =
    changed.size > 0 ? index.filter((one) => !changed.has(`${one.collection}/${one.id}`)) : index
  const byName = [...unchanged, ...[...changed.values()].flatMap((one) => one ?? [])].filter(
    (one) => one.searched.includes(searched) && one.id !== id,
  )
  const begins = (one: NamedRecord): boolean => one.searched.startsWith(searched)
  const matches = [...byId, ...byName.filter(begins), ...byName.filter((one) => !begins(one))]
  const items = matches.slice(0, limit).map(({ searched: _searched, ...record }) => record)
  return { items, totalCount: matches.length }
}

/** Finds a record by its id. Errors: not_found. */
export function findRow<T extends TableName>(table: T, id: number, data: Data): Row<T> {
  const row = data.get(table, id)
  if (!row) throw new SandboxError('not_found', `There is no ${nameRecord(table, id)}.`)
  return row
}
