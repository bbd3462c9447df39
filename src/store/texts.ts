import type { TranscriptLineRow } from './rows.ts'
import type { Row, TableName } from './tables.ts'

/** Finds a row by its id. */
export interface Reader {
  get<T extends TableName>(table: T, id: number): Row<T> | undefined
}

/**
 * The long texts that are drawn when they are read, not kept: pure functions of the seed and the row.
 * What they quote (a customer's figures, a participant's name) is read through `data`, as it stands now.
 */
export interface Texts {
  /** Who said what in a meeting. Order: as spoken. */
  transcript(meeting: Row<'meetings'>, data: Reader): TranscriptLineRow[]
  /** A generated brief in Markdown. */
  briefContent(content: Row<'briefContents'>, data: Reader): string
  /** What an automation's trigger or action wrote down. */
  logMessage(log: Row<'triggerLogs'> | Row<'actionLogs'>, data: Reader): string
}
