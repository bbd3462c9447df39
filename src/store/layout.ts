import type { ChangesFile, SeededFile } from './storage.ts'
import { tableNames } from './tables.ts'

/**
 * The text of `seeded.json`: one record a line, to be read, compared and edited by a person.
 * Shape: pieces of JSON to be joined, up to the end of the last member.
 */
export function* seededText({
  format,
  version,
  generation,
  key,
  organizations,
  rows,
}: SeededFile): Generator<string> {
  yield `{\n${members({ format, version, generation, key })},\n  "organizations": `
  yield* records(organizations, '  ')
  yield ',\n  "rows": {'
  for (const [index, name] of tableNames.entries()) {
    yield `${index === 0 ? '' : ','}\n    ${JSON.stringify(name)}: `
    yield* records(rows[name], '    ')
  }
  yield '\n  }'
}

/** The text of `changes.json`: one change a line. Shape: as seededText. */
export function* changesText({ format, generation, sequence, changes }: ChangesFile): Generator<string> {
  yield `{\n${members({ format, generation, sequence })},\n  "changes": `
  yield* records(changes, '  ')
}

/** A dataset as one JSON document: the organizations and the records of each table, one a line. Shape: as seededText. */
export function* datasetText({
  organizations,
  rows,
}: Pick<SeededFile, 'organizations' | 'rows'>): Generator<string> {
  yield '{\n  "organizations": '
  yield* records(organizations, '  ')
  for (const name of tableNames) {
    yield `,\n  ${JSON.stringify(name)}: `
    yield* records(rows[name], '  ')
  }
  yield '\n}\n'
}

function members(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')
}

function* records(list: readonly unknown[], indent: string): Generator<string> {
  if (list.length === 0) yield '[]'
  for (const [index, record] of list.entries()) {
    yield `${index === 0 ? '[' : ','}\n${indent}  ${JSON.stringify(record)}`
  }
  if (list.length > 0) yield `\n${indent}]`
}
