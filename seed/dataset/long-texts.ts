import { type Row, type TableName, tables } from '../../src/store/tables.ts'
import type { Reader, Texts } from '../../src/store/texts.ts'
import { generateLogMessage } from '../automations/log-messages.ts'
import { generateTranscript } from '../meetings/transcripts.ts'
import { generateBrief } from '../notes-and-briefs/brief-texts.ts'

export function createTexts(seed: number): Texts {
  return {
    transcript: (meeting, data) => generateTranscript(meeting, data, seed),
    briefContent: (content, data) => generateBrief(content, data, seed),
    logMessage: (log, data) => generateLogMessage(log, data, seed),
  }
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
