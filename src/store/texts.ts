import { type Row, type TableName, tables } from './tables.ts'
import type { TranscriptLineRow } from './tables/meetings.ts'

export interface Reader {
  get<T extends TableName>(table: T, id: number): Row<T> | undefined
}

/**
 * Generates the long texts, which are not stored: each is a pure function of the seed and the row. Figures and names in
 * a text are read through `data`.
 */
export interface Texts {
  /** Generates the transcript of a meeting. Order: as spoken. */
  transcript(meeting: Row<'meetings'>, data: Reader): TranscriptLineRow[]
  briefContent(content: Row<'briefContents'>, data: Reader): string
  logMessage(log: Row<'triggerLogs'> | Row<'actionLogs'>, data: Reader): string
}

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
  if (longText === undefined) return row
  const text: unknown = Reflect.get(row, longText)
  if (text === undefined) return row
  const rest = withoutField(row, longText)
  return JSON.stringify(generateText(rest, texts, data)) === JSON.stringify(text) ? rest : row
}

export function withoutField<R extends object>(row: R, field: string): R {
  const rest = { ...row }
  Reflect.deleteProperty(rest, field)
  return rest
}
