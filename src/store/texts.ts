import type { Row, TableName } from './tables.ts'
import type { TranscriptLineRow } from './tables/meetings.ts'

export interface Reader {
  get<T extends TableName>(table: T, id: number): Row<T> | undefined
}

/** The long texts, which are not stored: each is a pure function of the seed, its row, and the rows that it names. */
export interface Texts {
  /** Order: as spoken. */
  transcript(meeting: Row<'meetings'>, data: Reader): TranscriptLineRow[]
  briefContent(content: Row<'briefContents'>, data: Reader): string
  logMessage(log: Row<'triggerLogs'> | Row<'actionLogs'>, data: Reader): string
}

export const noTexts: Texts = { transcript: () => [], briefContent: () => '', logMessage: () => '' }
