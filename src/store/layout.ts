import { type Dataset, exportHead, exportRows } from './dataset.ts'
import { tableNames } from './tables.ts'

/** Formats a dataset as one JSON document with one record per line, for people. */
export function* formatExport(dataset: Dataset): Generator<string> {
  const { organizations, ...head } = exportHead(dataset)
  yield `{\n${formatMembers(head)},\n  "organizations": `
  yield* formatRecords(organizations, '  ')
  for (const name of tableNames) {
    yield `,\n  ${JSON.stringify(name)}: `
    yield* formatRecords(exportRows(dataset, name), '  ')
  }
  yield '\n}\n'
}

export function formatMembers(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')
}

export function* formatRecords(records: Iterable<unknown>, indent: string): Generator<string> {
  let isFirst = true
  for (const record of records) {
    yield `${isFirst ? '[' : ','}\n${indent}  ${JSON.stringify(record)}`
    isFirst = false
  }
  yield isFirst ? '[]' : `\n${indent}]`
}
