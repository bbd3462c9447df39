import * as z from 'zod'

import type { SandboxError } from '../contract/errors.ts'
import { recordId, utcDateTime } from '../contract/fields.ts'
import { fieldErrors } from '../contract/issues.ts'
import { readingFact } from './disk.ts'
import { OrganizationRow } from './rows.ts'
import { type Change, type ChangesFile, FORMAT, type JournalEntry, type SeededFile } from './storage.ts'
import {
  comparison,
  forEachTable,
  type Order,
  type Rows,
  type TableName,
  tableNames,
  tables,
} from './tables.ts'
import { DamagedFile, unreadable } from './unreadable.ts'

/** What is wrong with the content of a kept file. */
export class WrongContent extends Error {
  override readonly name = 'WrongContent'
  /** What to do about it, where that is not to restore the file. */
  readonly remedy: string | undefined

  constructor(fact: string, remedy?: string) {
    super(fact)
    this.remedy = remedy
  }
}

/** The error of a kept file that was not read: because of its content, or of the disk. */
export function readError(file: string, place: string, error: unknown): SandboxError {
  if (!(error instanceof WrongContent)) return unreadable(file, place, readingFact(error))
  if (error.remedy !== undefined) return unreadable(file, place, error.message, error.remedy)
  return new DamagedFile(file, place, error.message)
}

const known = z.literal(FORMAT)
const count = z.int().positive()
const sequence = z.int().nonnegative()
/** Says whether a file is as it was written; a person who changes it may leave it. */
const checksum = z.string().optional()

/** Built when a file has to be checked, which few starts do. */
const Seeded = z.lazy(() =>
  z.strictObject({
    format: known,
    version: z.string(),
    generation: count,
    key: z.strictObject({
      seed: z.int().nonnegative(),
      size: z.int().nonnegative(),
      fixture: z.string(),
      fixtureContent: z.unknown().optional(),
      now: utcDateTime,
      clock: z.enum(['frozen', 'system']),
    }),
    organizations: z.array(OrganizationRow),
    rows: z.strictObject({
      members: z.array(tables.members.row),
      customers: z.array(tables.customers.row),
      signals: z.array(tables.signals.row),
      meetings: z.array(tables.meetings.row),
      notes: z.array(tables.notes.row),
      automations: z.array(tables.automations.row),
      triggerLogs: z.array(tables.triggerLogs.row),
      actionLogs: z.array(tables.actionLogs.row),
      briefs: z.array(tables.briefs.row),
      briefContents: z.array(tables.briefContents.row),
      products: z.array(tables.products.row),
      productMetrics: z.array(tables.productMetrics.row),
      customFields: z.array(tables.customFields.row),
      memberRoles: z.array(tables.memberRoles.row),
      noteCategories: z.array(tables.noteCategories.row),
    }),
    checksum,
  }),
)

const change = <T extends TableName, R extends z.ZodType>(table: T, row: R) =>
  z.strictObject({ table: z.literal(table), id: recordId, row: row.nullable().optional() })

const changeList = z.lazy(() =>
  z.array(
    z.discriminatedUnion('table', [
      change('members', tables.members.row),
      change('customers', tables.customers.row),
      change('signals', tables.signals.row),
      change('meetings', tables.meetings.row),
      change('notes', tables.notes.row),
      change('automations', tables.automations.row),
      change('triggerLogs', tables.triggerLogs.row),
      change('actionLogs', tables.actionLogs.row),
      change('briefs', tables.briefs.row),
      change('briefContents', tables.briefContents.row),
      change('products', tables.products.row),
      change('productMetrics', tables.productMetrics.row),
      change('customFields', tables.customFields.row),
      change('memberRoles', tables.memberRoles.row),
      change('noteCategories', tables.noteCategories.row),
    ]),
  ),
)

const Changes = z.strictObject({ format: known, generation: count, sequence, changes: changeList, checksum })
const Entry = z.strictObject({ sequence: count, generation: count, changes: changeList.nullable() })

/** The fields of every row: a file that was written with others is checked again. */
export const rowFields = tableNames.map((name) => Object.keys(tables[name].row.shape).join()).join(';')

/**
 * The content of `seeded.json`: every record checked, each table in its order. One that is as it was written is so
 * already, and checking it would take longer than reading it.
 * Errors: WrongContent.
 */
export function parsedSeeded(value: unknown, isAsWritten: boolean): SeededFile {
  refuseOtherFormat(value)
  if (isTrusted(Seeded, value, isAsWritten)) {
    const { format, version, generation, key, organizations, rows } = value
    return { format, version, generation, key, organizations, rows }
  }
  const { checksum: _, ...seeded } = parsed(Seeded, value)
  for (const name of tableNames) {
    const id = repeatedId(seeded.rows[name])
    if (id !== undefined) throw new WrongContent(`rows.${name} has more than one record with id ${id}`)
  }
  return { ...seeded, rows: forEachTable<Rows>((name) => inOrder(seeded.rows[name], tables[name].order)) }
}

/** What was written was right; so it is, where it is still the same. */
function isTrusted<S extends z.ZodType>(
  _schema: S,
  _value: unknown,
  isAsWritten: boolean,
): _value is z.output<S> {
  return isAsWritten
}

/** The content of `changes.json`, every record checked, unless it is as it was written. Errors: WrongContent. */
export function parsedChanges(value: unknown, isAsWritten: boolean): ChangesFile {
  refuseOtherFormat(value)
  const kept = isTrusted(Changes, value, isAsWritten) ? value : parsed(Changes, value)
  refuseOddChanges(kept.changes)
  const { format, generation, changes } = kept
  return { format, generation, sequence: kept.sequence, changes, ...(!isAsWritten && { isEdited: true }) }
}

/** Refuses changes that the sandbox does not write: without a row, of another id than their row's, or of one record twice. */
function refuseOddChanges(changes: readonly Change[]): void {
  const seen = new Map<string, number>()
  for (const [index, { table, id, row }] of changes.entries()) {
    if (row === undefined) throw new WrongContent(`changes[${index}].row is required`)
    if (row !== null && row.id !== id) {
      throw new WrongContent(`changes[${index}].row.id must be ${id}, the id of the change (got ${row.id})`)
    }
    const earlier = seen.get(`${table}/${id}`)
    if (earlier !== undefined) {
      throw new WrongContent(`changes[${index}] changes the same record as changes[${earlier}]`)
    }
    seen.set(`${table}/${id}`, index)
  }
}

/** A journal entry, every record checked. Errors: WrongContent. */
export function parsedEntry(value: unknown): JournalEntry {
  return parsed(Entry, value)
}

/** Refuses what another version wrote, or something else altogether. Errors: WrongContent. */
export function refuseOtherFormat(value: unknown): void {
  const found = z.looseObject({ format: z.int().positive() }).safeParse(value, { jitless: true })
  if (!found.success) throw new WrongContent('it has no format, so it is not a file of workspace-sandbox')
  if (found.data.format > FORMAT) {
    throw new WrongContent(
      `it has format ${found.data.format}, and this version knows formats up to ${FORMAT}`,
      'Use the newer version of workspace-sandbox, or start on another folder with --data.',
    )
  }
}

function parsed<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = fieldErrors('body', result.error.issues)
  throw new WrongContent(first ? `${first.name || 'it'} ${first.message}` : 'it does not have the right form')
}

interface Listed {
  readonly id: number
  readonly createdDate?: string
}

/** A table's rows as they are to stand, wherever a person has put them. */
function inOrder(list: readonly Listed[], order: Order): readonly Listed[] {
  const compare = comparison(order)
  const isOrdered = list.every((row, index) => {
    const before = list[index - 1]
    return before === undefined || compare(before, row) < 0
  })
  return isOrdered ? list : list.toSorted(compare)
}

function repeatedId(list: readonly { readonly id: number }[]): number | undefined {
  const seen = new Set<number>()
  for (const { id } of list) {
    if (seen.has(id)) return id
    seen.add(id)
  }
  return undefined
}
