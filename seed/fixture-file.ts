import * as z from 'zod'

import { MAX_INTEGER, MadeWith } from '../src/contract/fields.ts'
import { forEachTable, type TableName, tableNames, tables } from '../src/store/tables.ts'
import { fixtureError, issueFault } from './fixture-errors.ts'
import { createTimelineSchema, type GivenRow, readTimeline, type TimelineStep } from './fixture-timeline.ts'
import { resolveTimes } from './fixture-times.ts'

/** A record of a fixture. */
export interface FixtureRecord<T extends TableName> {
  /** Its path, as in `signals[3]`. */
  readonly place: string
  /** Times in it may be relative, as in `now-12d`. */
  readonly given: GivenRow<T>
  /** True if the record changes with time in a living tenant. */
  readonly lives?: boolean
}

/** The records of a fixture, by table and id. */
export type FixtureRecords = { readonly [T in TableName]: ReadonlyMap<number, FixtureRecord<T>> }

/** The content of one fixture file. */
export interface FixtureFile {
  readonly name: string
  /** The builtin fixture that it extends; null for none, undefined if not specified. */
  readonly extends: string | null | undefined
  /** True if it comes with generated customers; undefined if not specified. */
  readonly generated: boolean | undefined
  /** True if it has all records with all fields, so that nothing is generated. */
  readonly isComplete: boolean
  /** True if all its records change with time in a living tenant; undefined if not specified. */
  readonly lives: boolean | undefined
  readonly organizations: readonly { readonly id: string; readonly name?: string | undefined }[]
  readonly records: FixtureRecords
  /** The events after the dataset's time in a living tenant. */
  readonly timeline: readonly TimelineStep[]
}

const about = z
  .string()
  .optional()
  .describe('A remark, which is ignored. Example: `a customer without meetings`.')

const lives = z
  .boolean()
  .optional()
  .describe(
    'Whether the record, or each record of the file, changes with time in a living tenant. Default: false. Example: `true`.',
  )

/** The keys of a record that are not fields of its row. */
export const recordExtras = {
  about,
  repeat: z
    .int()
    .positive()
    .max(10_000)
    .optional()
    .describe('The number of copies of the record, with ascending ids. Default: 1. Example: `250`.'),
  lives,
}

/**
 * Creates the schema of a fixture file, on demand, since builtin fixtures are not validated.
 * @param isComplete true if every record must have all fields
 */
export function fileSchema(isComplete: boolean) {
  const recordSchemas = Object.fromEntries(
    tableNames.map((table) => {
      const row: z.ZodObject = tables[table].row
      const given = isComplete
        ? row.extend({ lives })
        : row.partial().required({ id: true }).extend(recordExtras)
      return [table, z.array(given).optional()]
    }),
  )
  return z.strictObject({
    /** The JSON Schema of the file, for editors. */
    $schema: z
      .string()
      .optional()
      .describe(
        'The JSON Schema of this file, for editors; it is ignored. Example: `./node_modules/workspace-sandbox/dist/fixture.schema.json`.',
      ),
    about,
    name: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'The name of the fixture in messages and in `/_sandbox/health`. Default: the name of the file. Example: `two-teams`.',
      ),
    extends: (isComplete
      ? z.null('must be null: a complete fixture extends no other').optional()
      : z.string().nullable().optional()
    ).describe(
      'The built-in fixture whose records come first; null for none. Default: `default`. Example: `empty`.',
    ),
    generated: (isComplete
      ? z.literal(false, 'must be false, since nothing is generated for a complete fixture').optional()
      : z.boolean().optional()
    ).describe(
      'Whether customers are generated up to the size. Default: as in the extended fixture. Example: `false`.',
    ),
    complete: z
      .boolean()
      .optional()
      .describe(
        'Whether the file has every record with every field, so that nothing is generated; an export is complete. Default: false. Example: `true`.',
      ),
    madeWith: MadeWith.optional().describe(
      'The seed, size and time of an export, used unless you give others. Default: none. Example: `{ "seed": 42, "size": 300 }`.',
    ),
    lives,
    timeline: createTimelineSchema()
      .optional()
      .describe(
        'The changes that happen later in a living tenant. Default: none. Example: `[{ "at": "now+2d", "customers": [{ "id": 900, "segment": "SMB" }] }]`.',
      ),
    organizations: z
      .array(z.strictObject({ about, id: z.string().min(1), name: z.string().optional() }))
      .optional()
      .describe(
        'Organizations to add or rename. Default: those of the extended fixture. Example: `[{ "id": "acme", "name": "Acme" }]`.',
      ),
    ...recordSchemas,
  })
}

/** The limit of records per table for repeated records. */
const MOST = 250_000

/** The limit of nesting in a fixture. */
const DEEPEST = 100

/** An arbitrary time with which relative times are validated. */
const SOME_TIME_MS = 0

/**
 * Reads one fixture file.
 * Errors: `invalid_request` that names the first problem, its path, and how to solve it.
 */
export function parseFixtureFile(json: unknown, name: string): FixtureFile {
  if (isDeeperThan(json, DEEPEST)) {
    const message = `is nested more than ${DEEPEST} levels deep`
    throw fixtureError(name, { path: '', message, remedy: 'Flatten it' })
  }
  const schema = fileSchema(isComplete(json))
  const checked = schema.safeParse(resolveTimes(json, SOME_TIME_MS))
  const issues = checked.error?.issues ?? []
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (issue || !checked.data) throw fixtureError(name, issueFault(issue, schema))
  return readFixtureFile(checked.data, json, name)
}

const isComplete = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && Reflect.get(json, 'complete') === true

/** The content of a fixture file besides its records. */
interface FixtureHead {
  readonly extends?: string | null | undefined
  readonly generated?: boolean | undefined
  readonly lives?: boolean | undefined
  readonly organizations?: FixtureFile['organizations'] | undefined
}

/** Reads a validated fixture file. Errors: `invalid_request` for too many records, or duplicate ids. */
export function readFixtureFile(head: FixtureHead, json: unknown, name: string): FixtureFile {
  const { extends: base, generated, lives: allLive, organizations = [] } = head
  return {
    name,
    extends: base,
    generated,
    isComplete: isComplete(json),
    lives: allLive,
    organizations: organizations.map((organization) => ({ id: organization.id, name: organization.name })),
    records: forEachTable<FixtureRecords>((table) => collectRecords(table, json, name)),
    timeline: readTimeline(json),
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((entry) => isDeeperThan(entry, levels - 1))
}

interface Listed<T extends TableName> {
  readonly given: GivenRow<T>
  readonly repeat: number
  readonly lives: boolean | undefined
}

/** Lists the records of a table in a validated file, without fields such as `repeat`. */
function listRecords<T extends TableName>(json: unknown, table: T): Listed<T>[] {
  const list: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, table) : undefined
  if (!Array.isArray(list)) return []
  return list.flatMap((record: object) => {
    const fields = Object.entries(record).filter(([name]) => !Object.hasOwn(recordExtras, name))
    const repeat: unknown = Reflect.get(record, 'repeat')
    const given: unknown = Object.fromEntries(fields)
    const own: unknown = Reflect.get(record, 'lives')
    if (!isGiven<T>(given)) return []
    return [
      {
        given,
        repeat: typeof repeat === 'number' ? repeat : 1,
        lives: typeof own === 'boolean' ? own : undefined,
      },
    ]
  })
}

/** Narrows the type of a record that `fileSchema` has validated. */
function isGiven<T extends TableName>(record: unknown): record is GivenRow<T> {
  return typeof record === 'object' && record !== null && 'id' in record
}

/** Collects the records of a table, each repeated as often as specified, with ascending ids. */
function collectRecords<T extends TableName>(
  table: T,
  json: unknown,
  name: string,
): Map<number, FixtureRecord<T>> {
  const records = new Map<number, FixtureRecord<T>>()
  for (const [index, { given, repeat, lives: own }] of listRecords(json, table).entries()) {
    const place = `${table}[${index}]`
    if (repeat - 1 > MAX_INTEGER - given.id) {
      const message = `goes beyond the largest id, ${MAX_INTEGER}`
      throw fixtureError(name, { path: `${place}.repeat`, message, remedy: 'Start with a smaller id' })
    }
    for (let copy = 0; copy < repeat; copy += 1) {
      const id = given.id + copy
      const twin = records.get(id)
      if (repeat > 1 && records.size >= MOST) {
        const message = `goes beyond ${MOST} records of a table`
        throw fixtureError(name, { path: place, message, remedy: 'Use fewer records, or a larger size' })
      }
      if (twin) {
        const message = `${id} is already the id of ${twin.place}`
        throw fixtureError(name, { path: `${place}.id`, message, remedy: 'Change one of the two' })
      }
      records.set(id, { place, given: { ...given, id }, ...(own !== undefined && { lives: own }) })
    }
  }
  return records
}
