import * as z from 'zod'

import { withCallerErrors } from '../core/caller-errors.ts'
import { parseInput } from '../core/issues.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { pluralize } from '../core/words.ts'
import type { Copies, Verdict, VerdictOptions } from '../lab/sync/verdict.ts'
import { type TableName, tableNames } from '../store/tables.ts'
import { compareValue, quote } from '../testing/journal/compare.ts'
import type { MatcherResult, Steps } from '../testing/journal/matchers.ts'
import type { VerifyRule } from '../testing/journal/verify.ts'
import { type JournalEntry, nameEntry } from '../testing/journal/view.ts'
import type { WarningOptions } from '../testing/journal/warnings.ts'
import type { RecordOf } from '../testing/records/forms/forms.ts'
import type { ChangeFilter, WrittenChange } from '../testing/records/types.ts'
import type { ScenarioName } from '../testing/scenarios/definitions.ts'
import { Scenario } from '../testing/scenarios/scenario.ts'

/** Matchers for a sandbox or a session. */
export interface CommonMatchers<R> {
  /** Expects at least one matching request, or the number given by `count`, `atLeast` or `atMost`. @example expect(sandbox).toHaveReceived({ operationId: 'listCustomers', count: 1 }) */
  toHaveReceived(rule: VerifyRule): R
  /** Expects matching requests in this order; others may come between. @example expect(sandbox).toHaveReceivedInOrder([{ operationId: 'listCustomers' }, { method: 'POST' }]) */
  toHaveReceivedInOrder(steps: Steps): R
  /** Expects requests without warnings. @example expect(sandbox).toHaveNoWarnings({ ignore: ['unread_pages'] }) */
  toHaveNoWarnings(options?: WarningOptions): R
  /** Expects that a scenario has acted at least once, or this number of times. @example expect(sandbox).toHaveActed('page-drift') */
  toHaveActed(name: ScenarioName, times?: number): R
  /**
   * Expects that exactly these records were changed, since the session was opened, reset or restored, or since a request
   * or an instant, by anybody or by one author.
   * @example expect(sandbox).toHaveChanged([{ created: 'notes', where: { customerId: 7 } }], { by: 'service' })
   */
  toHaveChanged(expected: readonly ExpectedChange[], filter?: ChangeFilter): R
  /** Expects that the copy of a client is correct; without a copy, what was delivered. @example await expect(sandbox).toHaveSynced({ customers: rows }) */
  toHaveSynced(copies?: Copies, options?: VerdictOptions): Promise<void>
}

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
): MatcherResult {
  const expected = withCallerErrors('expected change', () => parseInput(Expected, input))
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

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

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

const ExpectedAct = lazyObject(() => ({
  name: Scenario.shape.name,
  times: z.int('must be a whole number').nonnegative('must be 0 or more').optional(),
}))

export function checkActed(
  expected: { readonly name: ScenarioName; readonly times?: number | undefined; readonly isNot: boolean },
  scenarios: readonly Scenario[],
  requests: readonly JournalEntry[],
): MatcherResult {
  const { name, times } = withCallerErrors('argument', () => parseInput(ExpectedAct, expected))
  const acted = scenarios.reduce((sum, scenario) => sum + (scenario.name === name ? scenario.acted : 0), 0)
  const wanted = times === undefined ? 'at least once' : pluralize(times, 'time')
  const lines = [
    `${name}: expected ${expected.isNot ? 'not ' : ''}to act ${wanted}, acted ${pluralize(acted, 'time')}.`,
    ...(scenarios.length > 0 ? ['Scenarios:', ...indent(describeScenarios(scenarios))] : ['No scenarios.']),
    ...(requests.length > 0
      ? ['Latest requests:', ...indent(describeRequests(requests.slice(-MAX_SHOWN)))]
      : ['No requests.']),
  ]
  return { pass: times === undefined ? acted > 0 : acted === times, message: () => lines.join('\n') }
}

export function describeScenarios(scenarios: readonly Scenario[]): string[] {
  return scenarios.map(
    ({ id, name, on, matched, acted }) =>
      `${id} ${name}${on === undefined ? '' : ` on ${on}`}: matched ${pluralize(matched, 'time')}, acted ${pluralize(acted, 'time')}`,
  )
}

export function describeRequests(requests: readonly JournalEntry[]): string[] {
  return requests.map((request) => {
    const { status, fault, scenarios = [] } = request
    const did = scenarios.map((scenario) => `${scenario.name}: ${scenario.did}`)
    const notes = [...(fault === undefined ? [] : [fault]), ...did].map((note) => `(${note})`)
    return [nameEntry(request), '->', status, ...notes].join(' ')
  })
}

export function checkSynced({ correct, text }: Pick<Verdict, 'correct' | 'text'>): MatcherResult {
  return {
    pass: correct,
    message: () => (correct ? `Expected a copy that is not correct.\n${text}` : text),
  }
}
