import * as z from 'zod'

import { MAX_INTEGER } from '../src/contract/fields.ts'
import { MadeWith } from '../src/contract/made-with.ts'
import { forEachTable, type Row, type TableName, tableNames, tables } from '../src/store/tables.ts'
import { fixtureError, issueFault } from './fixture-errors.ts'
import { withTimesAt } from './fixture-times.ts'

/** What a fixture gives of a row; the generator draws the rest. */
export type GivenRow<T extends TableName> = Partial<Row<T>> & { readonly id: number }

/** A record of a fixture. */
export interface FixtureRecord<T extends TableName> {
  /** Where it stands, as in `signals[3]`. */
  readonly place: string
  /** Times in it may be relative, as in `now-12d`. */
  readonly given: GivenRow<T>
}

/** The records of a fixture, by table and id. */
export type FixtureRecords = { readonly [T in TableName]: ReadonlyMap<number, FixtureRecord<T>> }

/** One fixture file, as it stands. */
export interface FixtureFile {
  readonly name: string
  /** The builtin fixture that it is laid over; null for none, undefined where it does not say. */
  readonly extends: string | null | undefined
  /** Says whether generated customers come with it; undefined where it does not say. */
  readonly generated: boolean | undefined
  /** Whether it has every record whole, so that nothing is generated or drawn. */
  readonly isComplete: boolean
  readonly organizations: readonly { readonly id: string; readonly name?: string | undefined }[]
  readonly records: FixtureRecords
}

const about = z.string().optional()
const recordExtras = { about, repeat: z.int().positive().max(10_000).optional() }

/**
 * What a fixture file may hold; made when one has to be checked, as those that come with the sandbox need not be.
 * @param isComplete whether every record has to be whole
 */
function fileSchema(isComplete: boolean) {
  const recordSchemas = Object.fromEntries(
    tableNames.map((table) => {
      const row: z.ZodObject = tables[table].row
      const given = isComplete ? row : row.partial().required({ id: true }).extend(recordExtras)
      return [table, z.array(given).optional()]
    }),
  )
  return z.strictObject({
    about,
    /** What the fixture is called in messages, and in the health of a sandbox made with it. */
    name: z.string().min(1).max(100).optional(),
    extends: isComplete
      ? z.null('must be null: a complete fixture extends no other').optional()
      : z.string().nullable().optional(),
    generated: isComplete
      ? z.literal(false, 'must be false: beside a complete fixture nothing is generated').optional()
      : z.boolean().optional(),
    complete: z.boolean().optional(),
    madeWith: MadeWith.optional(),
    organizations: z
      .array(z.strictObject({ about, id: z.string().min(1), name: z.string().optional() }))
      .optional(),
    ...recordSchemas,
  })
}

/** How many records of a table a fixture may give by repeating one. */
const MOST = 250_000

/** How deep a value in a fixture may be nested. */
const DEEPEST = 100

/** Any time will do to check relative times with. */
const SOME_TIME_MS = 0

/**
 * Reads one fixture file.
 * Errors: `invalid_request` that names the first place that is wrong, what is wrong with it, and what to do.
 */
export function parseFixtureFile(json: unknown, name: string): FixtureFile {
  if (isDeeperThan(json, DEEPEST)) {
    const message = `is nested more than ${DEEPEST} levels deep`
    throw fixtureError(name, { path: '', message, remedy: 'Flatten it' })
  }
  const schema = fileSchema(isComplete(json))
  const checked = schema.safeParse(withTimesAt(json, SOME_TIME_MS))
  const issues = checked.error?.issues ?? []
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (issue || !checked.data) throw fixtureError(name, issueFault(issue, schema))
  return fixtureFileOf(checked.data, json, name)
}

const isComplete = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && Reflect.get(json, 'complete') === true

/** What a fixture file says beside its records. */
interface FixtureHead {
  readonly extends?: string | null | undefined
  readonly generated?: boolean | undefined
  readonly organizations?: FixtureFile['organizations'] | undefined
}

/** A fixture file whose form is right. Errors: `invalid_request` for records that are too many, or there twice. */
export function fixtureFileOf(head: FixtureHead, json: unknown, name: string): FixtureFile {
  const { extends: base, generated, organizations = [] } = head
  return {
    name,
    extends: base,
    generated,
    isComplete: isComplete(json),
    organizations: organizations.map((organization) => ({ id: organization.id, name: organization.name })),
    records: forEachTable<FixtureRecords>((table) => recordsOf(table, json, name)),
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((entry) => isDeeperThan(entry, levels - 1))
}

interface Listed<T extends TableName> {
  readonly given: GivenRow<T>
  readonly repeat: number
}

/** The records that a checked file has of a table, without what is only said about them. */
function listIn<T extends TableName>(json: unknown, table: T): Listed<T>[] {
  const list: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, table) : undefined
  if (!Array.isArray(list)) return []
  return list.flatMap((record: object) => {
    const fields = Object.entries(record).filter(([name]) => !Object.hasOwn(recordExtras, name))
    const repeat: unknown = Reflect.get(record, 'repeat')
    const given: unknown = Object.fromEntries(fields)
    return isGiven<T>(given) ? [{ given, repeat: typeof repeat === 'number' ? repeat : 1 }] : []
  })
}

/** Says that a record is one of its table, which `fileSchema` has seen to. */
function isGiven<T extends TableName>(record: unknown): record is GivenRow<T> {
  return typeof record === 'object' && record !== null && 'id' in record
}

/** The records of one table, each repeated as often as it says, with ascending ids. */
function recordsOf<T extends TableName>(
  table: T,
  json: unknown,
  name: string,
): Map<number, FixtureRecord<T>> {
  const records = new Map<number, FixtureRecord<T>>()
  for (const [index, { given, repeat }] of listIn(json, table).entries()) {
    const place = `${table}[${index}]`
    if (repeat - 1 > MAX_INTEGER - given.id) {
      const message = `goes beyond the largest id, ${MAX_INTEGER}`
      throw fixtureError(name, { path: `${place}.repeat`, message, remedy: 'Begin with a smaller id' })
    }
    for (let copy = 0; copy < repeat; copy += 1) {
      const id = given.id + copy
      const twin = records.get(id)
      if (repeat > 1 && records.size >= MOST) {
        const message = `goes beyond ${MOST} records of a table`
        throw fixtureError(name, { path: place, message, remedy: 'Give fewer, or a larger size' })
      }
      if (twin) {
        const message = `${id} is the id of ${twin.place} already`
        throw fixtureError(name, { path: `${place}.id`, message, remedy: 'Change one of the two' })
      }
      records.set(id, { place, given: { ...given, id } })
    }
  }
  return records
}
