import { tableNames, tables, type Row, type TableName } from '../../src/store/tables.ts'
import { isFutureId } from '../../src/store/tables/define.ts'
import type { Reader, Texts } from '../../src/store/texts.ts'
import { parseTime } from '../calendar/time.ts'
import type { OwnReader } from '../dataset/customer-rows.ts'
import { getFamilyPlace, getFamilyRoot } from '../dataset/ids.ts'
import { createTexts } from '../dataset/long-texts.ts'
import { readRow, snapshots, type Changes, type Snapshot } from './customer-timeline.ts'
import { beginCustomers, findRoot, passCustomersTime } from './customers.ts'
import type { World } from './living-dataset.ts'

/**
 * Creates the reader of the long texts of a moment. A text quotes the data as it was when its record was written, except
 * for what a session has changed.
 */
export function createFutureTexts(world: World, moment: Reader): Texts {
  const texts = createTexts(world.seed)
  return {
    transcript: (meeting, data) =>
      texts.transcript(meeting, rewind(world, 'meetings', meeting, data, moment)),
    briefContent: (content, data) =>
      texts.briefContent(content, rewind(world, 'briefContents', content, data, moment)),
    logMessage: (log, data) =>
      texts.logMessage(
        log,
        rewind(world, 'triggerId' in log ? 'triggerLogs' : 'actionLogs', log, data, moment),
      ),
  }
}

/** Creates a reader of the data at the time of a record. */
function rewind(
  world: World,
  recordTable: TableName,
  record: Row<TableName>,
  data: Reader,
  moment: Reader,
): Reader | OwnReader {
  const snapshot = findSnapshot(world, recordTable, record, moment)
  const isLog = 'automationId' in record
  const readThen = <T extends TableName>(table: T, id: number): Row<T> | undefined => {
    if (!snapshot) return world.source.data.get(table, id)
    // The id of a log does not name its customer.
    const ownId = isLog && table === 'customers' ? (snapshot.customer?.id ?? id) : id
    return readRow(world, snapshot, table, ownId)
  }
  const get = <T extends TableName>(table: T, id: number): Row<T> | undefined => {
    const row = data.get(table, id)
    return row === moment.get(table, id) ? readThen(table, id) : row
  }
  return snapshot ? { get, own: (table) => listOwn(world, snapshot, table, get) } : { get }
}

function listOwn<T extends 'signals' | 'meetings' | 'notes'>(
  world: World,
  { customer, children }: Snapshot,
  table: T,
  get: Reader['get'],
): Row<T>[] {
  const rows = children[table] ?? (customer ? world.source.rowsOf(table, customer.id) : [])
  return rows.flatMap((row) => get(table, row.id) ?? [])
}

const longTextTables = tableNames.filter((table) => tables[table].longText !== undefined)

/** Returns when a row with a long text was written. */
const getWrittenDate = (row: Row<TableName>): string => {
  if ('updatedDate' in row) return row.updatedDate
  return 'createdDate' in row ? row.createdDate : ''
}

/** Finds the data that the long text of a moment's row quotes; undefined if it quotes the dataset. */
export function findSnapshot(
  world: World,
  table: TableName,
  record: Row<TableName>,
  moment: Reader,
): Snapshot | undefined {
  if (!snapshots.has(record) && isLoaded(world, table, record, moment)) {
    const root = findRoot({ table, ...record })
    const place = getFamilyPlace('customerId' in record ? record.customerId : record.id)
    if (root !== undefined) replay(world, { root, place }, moment)
  }
  return snapshots.get(record)
}

/** Reports whether a row of a moment was loaded, and differs from the dataset's because of a customer's events. */
const isLoaded = (world: World, table: TableName, record: Row<TableName>, moment: Reader): boolean =>
  parseTime(getWrittenDate(record)) <= world.loadedToMs &&
  record === moment.get(table, record.id) &&
  record !== world.source.data.get(table, record.id) &&
  (isFutureId(record.id) || !world.isStill(table, record.id))

/** A customer as a member of its family. */
interface Member {
  readonly root: number
  readonly place: number
}

/** Applies the events of a customer once more, to find the snapshots of its rows that were loaded. */
function replay(world: World, { root, place }: Member, moment: Reader): void {
  const own = world.source.rows('customers').filter(({ id }) => getFamilyRoot(id) === root)
  for (let family = beginCustomers(world, own); ;) {
    const self = family.filter(({ id }) => getFamilyPlace(id) === place)
    // A customer that has come through another one follows from that one up to then.
    const customers = self.length > 0 ? self : family.filter(({ id }) => getFamilyPlace(id) === 0)
    const nextMs = Math.min(...customers.map((customer) => customer.nextMs))
    if (nextMs > world.loadedToMs) return
    const changes: Changes = {}
    family = passCustomersTime(world, customers, nextMs, changes)
    for (const table of longTextTables) {
      for (const [id, row] of changes[table] ?? []) {
        const loaded = moment.get(table, id)
        if (row && loaded && getWrittenDate(loaded) === getWrittenDate(row)) shareSnapshot(row, loaded)
      }
    }
  }
}

/** Gives a row the snapshot of the same version of the row, unless it has one. */
function shareSnapshot(row: object, loaded: object): void {
  const snapshot = snapshots.get(row)
  if (snapshot && !snapshots.has(loaded)) snapshots.set(loaded, snapshot)
}
