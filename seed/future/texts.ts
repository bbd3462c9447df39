import type { Row, TableName } from '../../src/store/tables.ts'
import type { Reader, Texts } from '../../src/store/texts.ts'
import type { CustomerReader } from '../dataset/customer-rows.ts'
import { createTexts } from '../dataset/long-texts.ts'
import { readRow, snapshots } from './customer-timeline.ts'
import type { LivingDataset } from './living-dataset.ts'

/**
 * Creates the reader of the long texts of a moment. A text quotes the data as it was when its record was written, except
 * for what a session has changed.
 */
export function createFutureTexts(dataset: LivingDataset, moment: Reader): Texts {
  const texts = createTexts(dataset.seed)
  return {
    transcript: (meeting, data) => texts.transcript(meeting, rewindData(dataset, meeting, data, moment)),
    briefContent: (content, data) => texts.briefContent(content, rewindData(dataset, content, data, moment)),
    logMessage: (log, data) => texts.logMessage(log, rewindData(dataset, log, data, moment)),
  }
}

function rewindData(
  dataset: LivingDataset,
  record: Row<TableName>,
  data: Reader,
  moment: Reader,
): Reader | CustomerReader {
  const snapshot = snapshots.get(record)
  const isLog = 'automationId' in record
  const readThen = <T extends TableName>(table: T, id: number): Row<T> | undefined => {
    if (!snapshot) return dataset.source.data.get(table, id)
    // The id of a log does not name its customer.
    const ownId = isLog && table === 'customers' ? snapshot.customer.id : id
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
      const rows = children[table] ?? dataset.listCustomerRows(table, customer.id)
      return rows.flatMap((row) => get(table, row.id) ?? [])
    },
  }
}
