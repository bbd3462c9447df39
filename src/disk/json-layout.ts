import { type Dataset, exportHead, exportRows } from '../store/dataset.ts'
import { tableNames } from '../store/tables.ts'
import type { ChangesFile, SeededFile } from './documents.ts'

/** Formats `seeded.json` with one record per line, for people. Shape: JSON up to the end of the last member. */
export function* formatSeeded(file: SeededFile): Generator<string> {
  const { format, version, generation, key, organizations, rows, isPending } = file
  const head = { format, version, generation, key, ...(isPending && { isPending }) }
  yield `{\n${formatMembers(head)},\n  "organizations": `
  yield* formatRecords(organizations, '  ')
  if (isPending) return
  yield ',\n  "rows": {'
  for (const [index, name] of tableNames.entries()) {
    yield `${index === 0 ? '' : ','}\n    ${JSON.stringify(name)}: `
    yield* formatRecords(rows[name], '    ')
  }
  yield '\n  }'
}

/** Formats `changes.json` with one change per line. Shape: as `formatSeeded`. */
export function* formatChanges({ changes, ...head }: ChangesFile): Generator<string> {
  yield `{\n${formatMembers({ ...head })},\n  "changes": `
  yield* formatRecords(changes, '  ')
}

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

function formatMembers(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')
}

function* formatRecords(records: Iterable<unknown>, indent: string): Generator<string> {
  let isFirst = true
  for (const record of records) {
    yield `${isFirst ? '[' : ','}\n${indent}  ${JSON.stringify(record)}`
    isFirst = false
  }
  yield isFirst ? '[]' : `\n${indent}]`
}
