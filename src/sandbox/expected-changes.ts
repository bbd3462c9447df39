import * as z from 'zod'

import { withCallerErrors } from '../core/caller-errors.ts'
import { toJson } from '../core/exact-json.ts'
import { parseInput } from '../core/issues.ts'
import { indent } from '../core/words.ts'
import { type TableName, tableNames } from '../store/tables.ts'
import { compareValue, quote } from '../testing/journal/compare.ts'
import type { RecordOf } from '../testing/records/forms/forms.ts'
import type { ChangeFilter, WrittenChange } from '../testing/records/types.ts'

type Where<T extends TableName> = { readonly [F in keyof RecordOf[T]]?: unknown }

/** Records that are expected to have been changed, all in the same way. */
export type ExpectedChange = {
  [T in TableName]: {
    /** Fields that each of the records has, in its last version. Default: any. @example { customerId: 7 } */
    readonly where?: Where<T> | undefined
    /** The number of these records. Default: 1. @example 2 */
    readonly count?: number | undefined
  } & (
    | { /** The collection of the created records. @example 'notes' */ readonly created: T }
    | { /** The collection of the deleted records. @example 'signals' */ readonly deleted: T }
    | {
        /** The collection of the updated records. @example 'customers' */
        readonly updated: T
        /** The fields that may differ besides `updatedDate`. Default: all. @example ['segment'] */
        readonly fields?: readonly (keyof RecordOf[T] & string)[] | undefined
      }
  )
}[TableName]

const verbs = ['created', 'updated', 'deleted'] as const
type Verb = (typeof verbs)[number]

const MAX_COUNT = 10_000

const [MAX_SHOWN, MAX_FIELDS] = [20, 6]

const Collection = z.enum(tableNames)
const Expected = z
  .array(
    z
      .strictObject({
        created: Collection.optional(),
        updated: Collection.optional(),
        deleted: Collection.optional(),
        where: z.record(z.string(), z.unknown()).optional(),
        fields: z.array(z.string()).optional(),
        count: z.int().positive().max(MAX_COUNT).optional(),
      })
      .refine(
        (one) => verbs.filter((verb) => one[verb] !== undefined).length === 1,
        'must have one of created, updated and deleted',
      )
      .refine(
        (one) => one.fields === undefined || one.updated !== undefined,
        'must have fields only together with updated',
      ),
  )
  .max(100, 'must have at most 100 entries')
type Expected = z.output<typeof Expected>[number]

export function checkChanged(
  changes: readonly WrittenChange[],
  input: readonly ExpectedChange[],
  { since, by }: ChangeFilter,
  isNot: boolean,
): { readonly pass: boolean; readonly message: () => string } {
  const expected = withCallerErrors('expected change', () => {
    // Rejects asymmetric matchers, but keeps an undefined field, which the record must not have.
    toJson(input)
    return parseInput(Expected, input)
  })
  const positions = assign(expected, changes)
  const others = changes.filter((_, index) => positions[index] === undefined)
  const counts = expected.map((_, index) => positions.filter((one) => one === index).length)
  const isComplete = expected.every(({ count = 1 }, index) => counts[index] === count)
  const author = by === undefined ? '' : ` by ${by}`
  const range = since ? ` since ${typeof since === 'number' ? 'request ' : ''}${since}` : ''
  const describeFound = (one: Expected, index: number): string[] => {
    const isMissing = (counts[index] ?? 0) < (one.count ?? 1)
    const near = isMissing ? describeNearest(one, others) : []
    return [`${describeExpected(one)}: expected ${one.count ?? 1}, found ${counts[index]}`, ...indent(near)]
  }
  const message = (): string =>
    [
      isNot
        ? `Expected other changes than these${author}${range}.`
        : `Expected these changes and no others${author}${range}.`,
      ...(expected.length > 0
        ? ['Expected:', ...indent(expected.flatMap(describeFound))]
        : ['Expected: none.']),
      ...listChanges(isNot ? 'Changes' : 'Other changes', isNot ? changes : others),
    ].join('\n')
  return { pass: isComplete && others.length === 0, message }
}

/**
 * Assigns changes to the expectations that they meet, as many as possible, each expectation no more than it counts.
 * Shape: the position of the expectation for each change; undefined for those without one.
 */
function assign(expected: readonly Expected[], changes: readonly WrittenChange[]): (number | undefined)[] {
  const positions: (number | undefined)[] = changes.map(() => undefined)
  const taken = expected.map((): Set<number> => new Set())
  const put = (change: number, to: number): void => {
    const from = positions[change]
    if (from !== undefined) taken[from]?.delete(change)
    taken[to]?.add(change)
    positions[change] = to
  }
  /** Finds a place for a change, for which others may have to move to an expectation that is not yet met. */
  const place = (index: number, seen: Set<number>): boolean => {
    const change = changes[index]
    return expected.some((one, to) => {
      if (!change || seen.has(to) || !meets(change, one)) return false
      seen.add(to)
      const set = taken[to] ?? new Set()
      const hasRoom =
        set.size < (one.count ?? 1) || (expected.length > 1 && [...set].some((other) => place(other, seen)))
      if (hasRoom) put(index, to)
      return hasRoom
    })
  }
  for (const index of changes.keys()) place(index, new Set())
  return positions
}

const toVerb = ({ kind }: WrittenChange): Verb => (kind === 'replaced' ? 'updated' : kind)

const isOfKind = (change: WrittenChange, one: Expected): boolean => change.collection === one[toVerb(change)]

const meets = (change: WrittenChange, one: Expected): boolean =>
  isOfKind(change, one) && listDifferences(change, one).length === 0

function listDifferences(
  { before, after, fields = [] }: WrittenChange,
  { where = {}, fields: allowed }: Expected,
): string[] {
  const record = after ?? before ?? {}
  const differences = Object.entries(where).flatMap(([name, value]) =>
    compareValue(name, record[name], value).map(({ text }) => text),
  )
  const others = allowed ? fields.filter((name) => name !== 'updatedDate' && !allowed.includes(name)) : []
  return others.length > 0 ? [...differences, `${others.join(', ')} changed as well`] : differences
}

function describeExpected(one: Expected): string {
  const verb = verbs.find((name) => one[name] !== undefined) ?? 'updated'
  const { where = {}, fields } = one
  const conditions = Object.entries(where).map(([name, value]) => `${name} ${quote(value)}`)
  const suffix = conditions.length > 0 ? ` with ${conditions.join(', ')}` : ''
  return `${one[verb]} ${verb}${suffix}${fields ? `, in ${fields.join(', ') || 'no field'} only` : ''}`
}

function describeNearest(one: Expected, others: readonly WrittenChange[]): string[] {
  const [nearest] = others
    .filter((change) => isOfKind(change, one))
    .map((change) => ({ change, differences: listDifferences(change, one) }))
    .toSorted((a, b) => a.differences.length - b.differences.length)
  return nearest ? [`${nameChange(nearest.change)} differs: ${nearest.differences.join('; ')}`] : []
}

const nameChange = ({ collection, id }: WrittenChange): string => `${collection} ${id}`

function listChanges(title: string, changes: readonly WrittenChange[]): string[] {
  if (changes.length === 0) return [`${title}: none.`]
  const rest = changes.length - MAX_SHOWN
  const shown = changes.slice(0, MAX_SHOWN).flatMap(describeChange)
  return [`${title}:`, ...indent(shown), ...(rest > 0 ? [`  and ${rest} more.`] : [])]
}

function describeChange(change: WrittenChange): string[] {
  const { kind, by, scenario, request, before, after, fields = [] } = change
  const author = [by, scenario, request && `at request ${request}`].filter(Boolean).join(' ')
  const head = `${nameChange(change)} ${toVerb(change)} by ${author}`
  const values = fields.map((field) => `${field}: ${quote(before?.[field])} → ${quote(after?.[field])}`)
  if (kind === 'replaced') return [head, ...indent(values)]
  const { id: _, ...record } = after ?? before ?? {}
  const texts = Object.entries(record).map(([field, value]) => `${field}: ${quote(value)}`)
  return [head, ...indent(texts.slice(0, MAX_FIELDS)), ...(texts.length > MAX_FIELDS ? ['  …'] : [])]
}
