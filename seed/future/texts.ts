import type { Row, TableName } from '../../src/store/tables.ts'
import type { Reader, Texts } from '../../src/store/texts.ts'
import { createTexts } from '../dataset/long-texts.ts'
import type { OwnReader } from '../dataset/own-rows.ts'
import { readRow, type Snapshot } from './customer-timeline.ts'
import { findSnapshot } from './replay.ts'
import type { World } from './world.ts'

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
