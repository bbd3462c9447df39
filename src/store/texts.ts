import { type Row, type TableName, tables } from './tables.ts'
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

function generateText(row: Row<TableName>, texts: Texts, data: Reader): unknown {
  if ('hasTranscript' in row) return row.hasTranscript ? texts.transcript(row, data) : undefined
  if ('briefId' in row) return texts.briefContent(row, data)
  return 'triggerId' in row || 'actionId' in row ? texts.logMessage(row, data) : undefined
}

export function withLongText<T extends TableName>(table: T, row: Row<T>, texts: Texts, data: Reader): Row<T> {
  const { longText } = tables[table]
  if (longText === undefined || Reflect.get(row, longText) !== undefined) return row
  const text = generateText(row, texts, data)
  return text === undefined ? row : { ...row, [longText]: text }
}

export function withoutGeneratedText<T extends TableName>(
  table: T,
  row: Row<T>,
  texts: Texts,
  data: Reader,
): Row<T> {
  const { longText } = tables[table]
  const text: unknown = longText && Reflect.get(row, longText)
  if (longText === undefined || text === undefined) return row
  const rest = withoutField(row, longText)
  return JSON.stringify(generateText(rest, texts, data)) === JSON.stringify(text) ? rest : row
}

export function withoutField<R extends object>(row: R, field: string): R {
  const rest = { ...row }
  Reflect.deleteProperty(rest, field)
  return rest
}
