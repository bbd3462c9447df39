import * as z from 'zod'

import { recordId, utcDateTime } from '../contract/fields.ts'
import { toFieldErrors } from '../core/issues.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { type Change, ChangeList, findOddChange } from '../store/change.ts'
import { createDataset } from '../store/dataset.ts'
import { createLookup, findDangling } from '../store/references.ts'
import { SessionData } from '../store/session-data.ts'
import { comparison, forEachTable, type Rows, type TableName, tableNames, tables } from '../store/tables.ts'
import { OrganizationRow } from '../store/tables/members.ts'
import { noTexts } from '../store/texts.ts'
import { type ChangesFile, FORMAT, type LogEntry, noRows, type SeededFile } from './documents.ts'
import { InvalidContent } from './storage-errors.ts'

const format = z.literal(FORMAT)
const generation = z.int().positive()
const sequence = z.int().nonnegative()
/** May be missing or outdated after an edit. */
const checksum = z.string().optional()

type RowLists = { readonly [T in TableName]: z.ZodArray<(typeof tables)[T]['row']> }

// The schemas of rows are combined lazily: most starts read files that need no check.
const Seeded = z.lazy(() =>
  z.strictObject({
    format,
    version: z.string(),
    generation,
    key: z.strictObject({
      seed: z.int().nonnegative(),
      size: z.int().nonnegative(),
      fixture: z.string(),
      fixtureContent: z.unknown().optional(),
      now: utcDateTime,
      clock: z.enum(['frozen', 'system']),
      future: z.literal('living').optional(),
    }),
    organizations: z.array(OrganizationRow),
    rows: z.strictObject(forEachTable<RowLists>((name) => z.array(tables[name].row))).optional(),
    isPending: z.literal(true).optional(),
    checksum,
  }),
)

const Clock = z.union([z.strictObject({ at: utcDateTime }), z.strictObject({ aheadMs: z.int() })])

const ChangesDocument = lazyStrictObject(() => ({
  format,
  generation,
  sequence,
  clock: Clock.optional(),
  changes: ChangeList,
  checksum,
}))
const UncheckedChanges = z.array(
  z.strictObject({
    table: z.enum(tableNames),
    id: recordId,
    row: z.looseObject({ id: recordId }).nullable().optional(),
  }),
)
const Entry = lazyStrictObject(() => ({
  sequence: z.int().positive(),
  generation,
  clock: Clock.nullable().optional(),
  changes: UncheckedChanges.nullable(),
  isAhead: z.literal(true).optional(),
}))

export const formatRowFields = (): string =>
  tableNames.map((name) => Object.keys(tables[name].row.shape).join()).join(';')

/** Parses `seeded.json`. @param isSealed whether it is unedited and so needs no check, which is slow. Errors: InvalidContent. */
export function parseSeeded(value: unknown, isSealed: boolean): SeededFile {
  checkFormat(value)
  const { checksum: _, rows: read, ...seeded } = parse(Seeded, value, isSealed)
  if (seeded.isPending) return { ...seeded, rows: noRows }
  if (!read) throw new InvalidContent('rows is required')
  if (isSealed) return { ...seeded, rows: read }
  for (const name of tableNames) {
    const id = findDuplicateId(read[name])
    if (id !== undefined) throw new InvalidContent(`rows.${name} has more than one record with id ${id}`)
  }
  const rows = forEachTable<Rows>((name) => read[name].toSorted(comparison(tables[name].order)))
  return { ...seeded, rows, isEdited: true }
}

/** Parses `changes.json`; `ChangeReader` checks the changes of an unedited file. Errors: InvalidContent. */
export function parseChanges(value: unknown, isSealed: boolean): ChangesFile {
  checkFormat(value)
  const { checksum: _, ...file } = parse(ChangesDocument, value, isSealed)
  if (isSealed) return file
  const odd = findOddChange(file.changes)
  if (odd) throw new InvalidContent(`${odd.name} ${odd.message}`)
  return { ...file, isEdited: true }
}

export function parseEntry(value: unknown): LogEntry {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `ChangeReader` checks the rows
  return parse(Entry, value) as LogEntry
}

/** Rejects files of a newer version, and files of other programs. Errors: InvalidContent. */
export function checkFormat(value: unknown): void {
  const parsed = z.looseObject({ format: z.int().positive() }).safeParse(value, { jitless: true })
  if (!parsed.success) throw new InvalidContent('it has no format, so it is not a file of workspace-sandbox')
  if (parsed.data.format > FORMAT) {
    throw new InvalidContent(
      `it has format ${parsed.data.format}, and this version knows formats up to ${FORMAT}`,
      'Use the newer version of workspace-sandbox, or start on another folder with the option data.',
    )
  }
}

export function findDanglingChange(seeded: SeededFile, changes: readonly Change[]): string | undefined {
  if (seeded.isPending) return undefined
  const dataset = createDataset(seeded.key, seeded, noTexts)
  const data = new SessionData(() => dataset)
  data.load(changes)
  const error = findDangling(changes, [createLookup(data, seeded.organizations)])
  return error && `${error.name}: ${error.message}`
}

function parse<S extends z.ZodType>(schema: S, value: unknown, isSealed = false): z.output<S> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the seal proves that the file is as this version has written it
  if (isSealed) return value as z.output<S>
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = toFieldErrors('body', result.error.issues)
  throw new InvalidContent(
    first ? `${first.name || 'it'} ${first.message}` : 'it does not have the expected form',
  )
}

function findDuplicateId(rows: readonly { readonly id: number }[]): number | undefined {
  const seen = new Set<number>()
  return rows.find(({ id }) => seen.has(id) || !seen.add(id))?.id
}
