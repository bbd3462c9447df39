import { tableNames, tables, type Row, type TableName } from '../../src/store/tables.ts'
import { isFutureId } from '../../src/store/tables/define.ts'
import type { Reader, Texts } from '../../src/store/texts.ts'
import { parseTime } from '../calendar/time.ts'
import type { CustomerReader } from '../dataset/customer-rows.ts'
import { getRootCustomer, getSpawnedPlace } from '../dataset/ids.ts'
import { createTexts } from '../dataset/long-texts.ts'
import { readRow, snapshots, type Changes, type Snapshot } from './customer-timeline.ts'
import { advanceCustomers, beginCustomers, findRoot } from './customers.ts'
import type { LivingDataset } from './living-dataset.ts'

/**
 * Creates the reader of the long texts of a moment. A text quotes the data as it was when its record was written, except
 * for what a session has changed.
 */
export function createFutureTexts(dataset: LivingDataset, moment: Reader): Texts {
  const texts = createTexts(dataset.seed)
  return {
    transcript: (meeting, data) =>
      texts.transcript(meeting, rewindData(dataset, 'meetings', meeting, data, moment)),
    briefContent: (content, data) =>
      texts.briefContent(content, rewindData(dataset, 'briefContents', content, data, moment)),
    logMessage: (log, data) =>
      texts.logMessage(
        log,
        rewindData(dataset, 'triggerId' in log ? 'triggerLogs' : 'actionLogs', log, data, moment),
      ),
  }
}

function rewindData(
  dataset: LivingDataset,
  recordTable: TableName,
  record: Row<TableName>,
  data: Reader,
  moment: Reader,
): Reader | CustomerReader {
  const snapshot = findSnapshot(dataset, recordTable, record, moment)
  const isLog = 'automationId' in record
  const readThen = <T extends TableName>(table: T, id: number): Row<T> | undefined => {
    if (!snapshot) return dataset.source.data.get(table, id)
    // The id of a log does not name its customer.
    const ownId = isLog && table === 'customers' ? (snapshot.customer?.id ?? id) : id
    return readRow(dataset, snapshot, table, ownId)
  }
  const get = <T extends TableName>(table: T, id: number): Row<T> | undefined => {
    const row = data.get(table, id)
    return row === moment.get(table, id) ? readThen(table, id) : row
  }
  if (!snapshot) return { get }
  const { customer, children } = snapshot
  return {
    get,
    listRows: (table) => {
      const rows = children[table] ?? (customer ? dataset.source.listCustomerRows(table, customer.id) : [])
      return rows.flatMap((row) => get(table, row.id) ?? [])
    },
  }
}

const longTextTables = tableNames.filter((table) => tables[table].longText !== undefined)

const getWrittenDate = (row: Row<TableName>): string => {
  if ('updatedDate' in row) return row.updatedDate
  return 'createdDate' in row ? row.createdDate : ''
}

/** Finds the data that the long text of a row quotes; undefined if it quotes the dataset. */
function findSnapshot(
  dataset: LivingDataset,
  table: TableName,
  record: Row<TableName>,
  moment: Reader,
): Snapshot | undefined {
  if (!snapshots.has(record) && isLoaded(dataset, table, record, moment)) {
    const root = findRoot({ table, ...record })
    const place = getSpawnedPlace('customerId' in record ? record.customerId : record.id)
    if (root !== undefined) replay(dataset, { root, place }, moment)
  }
  return snapshots.get(record)
}

/** Reports whether a row was loaded, and differs from the dataset's because of a customer's events. */
const isLoaded = (
  dataset: LivingDataset,
  table: TableName,
  record: Row<TableName>,
  moment: Reader,
): boolean =>
  parseTime(getWrittenDate(record)) <= dataset.loadedToMs &&
  record === moment.get(table, record.id) &&
  record !== dataset.source.data.get(table, record.id) &&
  (isFutureId(record.id) || !dataset.isStatic(table, record.id))

interface SpawnedPlace {
  readonly root: number
  readonly place: number
}

/** Applies the events of a customer again, to find the snapshots of its loaded rows. */
function replay(dataset: LivingDataset, { root, place }: SpawnedPlace, moment: Reader): void {
  const roots = dataset.source.rows('customers').filter(({ id }) => getRootCustomer(id) === root)
  for (let related = beginCustomers(dataset, roots); ;) {
    const existing = related.filter(({ id }) => getSpawnedPlace(id) === place)
    // A spawned customer follows from its root until it exists.
    const customers = existing.length > 0 ? existing : related.filter(({ id }) => getSpawnedPlace(id) === 0)
    const nextMs = Math.min(...customers.map((customer) => customer.nextMs))
    if (nextMs > dataset.loadedToMs) return
    const changes: Changes = {}
    related = advanceCustomers(dataset, customers, nextMs, changes)
    for (const table of longTextTables) {
      for (const [id, row] of changes[table] ?? []) {
        const loaded = moment.get(table, id)
        if (row && loaded && getWrittenDate(loaded) === getWrittenDate(row)) shareSnapshot(row, loaded)
      }
    }
  }
}

function shareSnapshot(row: object, loaded: object): void {
  const snapshot = snapshots.get(row)
  if (snapshot && !snapshots.has(loaded)) snapshots.set(loaded, snapshot)
}
