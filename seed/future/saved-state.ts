import * as z from 'zod'

import { recordId } from '../../src/contract/fields.ts'
import type { Row, TableName } from '../../src/store/tables.ts'
import type { Reader } from '../../src/store/texts.ts'
import { getGivenStart, withStart } from '../customers/contracts.ts'
import { childTables, type ChildTable, forEachChildTable } from '../dataset/generated-ids.ts'
import { CUSTOMERS_PER_ROOT, findFutureSlotId, getFutureSlot } from '../dataset/ids.ts'
import { resumeCustomerTimeline, type CustomerTimeline } from './customer-timeline.ts'
import { createAgendaSchema } from './events.ts'
import type { LivingDataset } from './living-dataset.ts'

const count = z.int().nonnegative()

const lists = z.partialRecord(z.enum(childTables), z.array(count)).optional()

/** More members than can join an organization in the years that a clock reaches. */
const MAX_JOINED = 50_000

/** Creates the schema of a saved state, which leaves out everything that follows from the rows at that time. */
const createSchema = () =>
  z.strictObject({
    /** Order: as in the state. */
    customers: z.array(
      z.strictObject({
        id: recordId,
        agenda: createAgendaSchema(),
        spawnedCount: count.max(CUSTOMERS_PER_ROOT - 1).optional(),
        /** The places of changed rows among those of the dataset. No event removes a single one. */
        changed: lists,
        /** The slots of added rows. Order: as they were added. */
        slots: lists,
        /** The starts of the products' contracts; null if one follows from the product. */
        starts: z.array(z.int().nullable()).optional(),
      }),
    ),
    /** The organizations, under the name that files have. Order: as in the dataset. */
    offices: z.array(z.strictObject({ joined: count.max(MAX_JOINED), left: count, logs: count })),
    steps: count,
  })

export type SavedState = z.infer<ReturnType<typeof createSchema>>

type SavedCustomer = SavedState['customers'][number]

let schema: ReturnType<typeof createSchema> | undefined

export function parseSavedState(value: unknown): SavedState {
  schema ??= createSchema()
  return schema.parse(value)
}

export function saveCustomer(dataset: LivingDataset, timeline: CustomerTimeline): SavedCustomer {
  const { id, agenda, spawnedCount, children, customer } = timeline
  const changed: SavedCustomer['changed'] = {}
  const slots: SavedCustomer['slots'] = {}
  for (const table of childTables) {
    const rows = children[table] ?? []
    const original: readonly object[] = dataset.source.listCustomerRows(table, id)
    const places = original.flatMap((row, place) => (rows.length === 0 || rows[place] === row ? [] : [place]))
    if (places.length > 0) changed[table] = places
    if (rows.length > original.length) {
      slots[table] = rows.slice(original.length).map((row) => getFutureSlot(row.id))
    }
  }
  const starts = customer?.products.map((entry) => getGivenStart(entry) ?? null) ?? []
  return {
    id,
    agenda: [...agenda],
    ...(spawnedCount > 0 && { spawnedCount }),
    ...(Object.keys(changed).length > 0 && { changed }),
    ...(Object.keys(slots).length > 0 && { slots }),
    ...(starts.some((start) => start !== null) && { starts }),
  }
}

/** Loads a customer. Errors: RangeError if the rows of the moment do not fit. */
export function loadCustomer(dataset: LivingDataset, saved: SavedCustomer, moment: Reader): CustomerTimeline {
  const { id, agenda, spawnedCount = 0, changed = {}, slots = {}, starts = [] } = saved
  const read = <T extends TableName>(table: T, rowId: number): Row<T> => {
    const row = moment.get(table, rowId)
    if (!row) throw new RangeError(`The saved state needs record ${rowId} of ${table}, which does not exist.`)
    return row
  }
  const customer = read('customers', id)
  for (const [index, startMs] of starts.entries()) {
    const entry = customer.products[index]
    if (!entry) throw new RangeError(`The saved state has more products than customer ${id}.`)
    if (startMs !== null) withStart(entry, startMs)
  }
  const readRows = <T extends ChildTable>(table: T): Row<T>[] | undefined => {
    const [places = [], added = []] = [changed[table], slots[table]]
    if (places.length === 0 && added.length === 0) return undefined
    const rows = [...dataset.source.listCustomerRows(table, id)]
    for (const place of places) rows[place] = read(table, rows[place]?.id ?? 0)
    return [...rows, ...added.map((slot) => read(table, findFutureSlotId(id, slot)))]
  }
  const children = forEachChildTable<Required<CustomerTimeline['children']>>(readRows)
  if (agenda.some(({ atMs }, index) => atMs < (agenda[index - 1]?.atMs ?? 0))) {
    throw new RangeError(`The events of customer ${id} are not sorted by time.`)
  }
  return resumeCustomerTimeline(dataset, { id, customer, children, agenda, spawnedCount })
}
