import type { Dataset } from './dataset.ts'
import { forEachTable, type Row, type Rows, type TableName } from './tables.ts'
import type { Reader, Texts } from './texts.ts'

/** The fields whose texts are drawn when they are read, by table. */
const drawn: { readonly [T in TableName]?: keyof Row<T> } = {
  meetings: 'transcript',
  briefContents: 'content',
  triggerLogs: 'message',
  actionLogs: 'message',
}

/** The text of a row that would be drawn when it is read; undefined if it has none. */
function drawText<T extends TableName>(table: T, row: Row<T>, texts: Texts, data: Reader): unknown {
  if ('hasTranscript' in row) return row.hasTranscript ? texts.transcript(row, data) : undefined
  if ('briefId' in row) return texts.briefContent(row, data)
  return 'triggerId' in row || 'actionId' in row ? texts.logMessage(row, data) : undefined
}

/** A row with the text that it has when it is read. */
function withText<T extends TableName>(table: T, row: Row<T>, texts: Texts, data: Reader): Row<T> {
  const field = drawn[table]
  if (field === undefined || row[field] !== undefined) return row
  const text = drawText(table, row, texts, data)
  return text === undefined ? row : { ...row, [field]: text }
}

/** A row without a text that would be drawn just so when it is read. */
export function withoutDrawnText<T extends TableName>(
  table: T,
  row: Row<T>,
  texts: Texts,
  data: Reader,
): Row<T> {
  const field = drawn[table]
  if (field === undefined || row[field] === undefined) return row
  const rest = { ...row }
  delete rest[field]
  return JSON.stringify(drawText(table, rest, texts, data)) === JSON.stringify(row[field]) ? rest : row
}

/** A dataset as one document with every record whole, which is a fixture that gives the same dataset again. */
export interface WholeDataset extends Rows {
  readonly about: string
  /** Says that nothing is to be generated beside the records. */
  readonly complete: true
  /** What else the dataset follows from. */
  readonly madeWith: { readonly seed: number; readonly size: number; readonly now: string }
  readonly organizations: Dataset['organizations']
}

/** What a whole dataset says beside its records. */
export function headOf({ key, organizations }: Dataset): Omit<WholeDataset, TableName> {
  const { seed, size, now } = key
  return {
    about: `A whole dataset of workspace-sandbox. Use it as a fixture: seed ${seed}, size ${size} and now ${now} then hold by themselves.`,
    complete: true,
    madeWith: { seed, size, now },
    organizations,
  }
}

/** The rows of a table, each whole. */
export function* wholeRows<T extends TableName>(dataset: Dataset, table: T): Generator<Row<T>> {
  const data: Reader = { get: (name, id) => dataset.tables[name].get(id) }
  const { rows } = dataset.tables[table]
  for (const row of rows) yield withText(table, row, dataset.texts, data)
}

/** A dataset with every record whole. */
export function wholeDataset(dataset: Dataset): WholeDataset {
  const rows = forEachTable<Rows>((name) => [...wholeRows(dataset, name)])
  return { ...headOf(dataset), ...rows }
}
