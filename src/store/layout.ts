import type { Dataset } from './dataset.ts'
import type { ChangesFile, SeededFile } from './storage.ts'
import { tableNames } from './tables.ts'
import { headOf, wholeRows } from './whole.ts'

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

/** A whole dataset as one JSON document, one record a line; texts are drawn one by one. Shape: as seededText. */
export function* wholeText(dataset: Dataset): Generator<string> {
  const { organizations, ...head } = headOf(dataset)
  yield `{\n${members(head)},\n  "organizations": `
  yield* records(organizations, '  ')
  for (const name of tableNames) {
    yield `,\n  ${JSON.stringify(name)}: `
    yield* records(wholeRows(dataset, name), '  ')
  }
  yield '\n}\n'
}

function members(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')
}

function* records(list: Iterable<unknown>, indent: string): Generator<string> {
  let isFirst = true
  for (const record of list) {
    yield `${isFirst ? '[' : ','}\n${indent}  ${JSON.stringify(record)}`
    isFirst = false
  }
  yield isFirst ? '[]' : `\n${indent}]`
}
