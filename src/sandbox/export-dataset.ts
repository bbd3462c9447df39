import { withLongText } from '../../seed/dataset/long-texts.ts'
import { formatJson, type Piece } from '../core/json-steps.ts'
import type { Dataset } from '../store/dataset.ts'
import { forEachTable, type Row, type Rows, type TableName } from '../store/tables.ts'
import type { Reader } from '../store/texts.ts'

/** A dataset with its long texts, as one document: a fixture that gives the same dataset again. */
export interface ExportedDataset extends Rows {
  readonly about: string
  readonly complete: true
  readonly madeWith: { readonly seed: number; readonly size: number; readonly now: string }
  readonly organizations: Dataset['organizations']
}

export function exportDataset(dataset: Dataset): ExportedDataset {
  const rows = forEachTable<Rows>((name) => [...withTexts(dataset, name)])
  return { ...exportHead(dataset), ...rows }
}

function exportHead({ key, organizations }: Dataset): Omit<ExportedDataset, TableName> {
  const { seed, size, now } = key
  return {
    about: `A whole dataset of workspace-sandbox. Use it as a fixture: seed ${seed}, size ${size} and now ${now} then hold by themselves.`,
    complete: true,
    madeWith: { seed, size, now },
    organizations,
  }
}

/** Formats a dataset as one JSON document with one record per line, for people. */
export function* formatExport(dataset: Dataset): Generator<Piece> {
  const rows = forEachTable<Record<TableName, Iterable<object>>>((name) => withTexts(dataset, name))
  yield* formatJson({ ...exportHead(dataset), ...rows }, '\n')
  yield '\n'
}

/** Generates the rows of a table, each with its long text. */
function* withTexts<T extends TableName>({ tables, texts }: Dataset, table: T): Generator<Row<T>> {
  const data: Reader = { get: (name, id) => tables[name].get(id) }
  for (const row of tables[table].rows) yield withLongText(table, row, texts, data)
}
