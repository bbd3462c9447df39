import type { JsonObject } from '../../core/json.ts'
import type { Steps } from '../../core/slices.ts'
import { sortInSteps } from '../../core/sort-in-steps.ts'
import { capitalize } from '../../core/words.ts'
import { type TableName, nameRecord } from '../../store/tables.ts'
import { findOperations, isOfCustomer, isVisible } from './collections.ts'
import { findDifferentFields } from './compare.ts'
import type { Context } from './context.ts'
import type { CopiedRows } from './copies.ts'
import type { VerdictBuilder } from './create-verdict.ts'
import { createFinding, type Finding } from './losses.ts'
import type { Reads, Span } from './past.ts'
import { nameRequest, type Read } from './reads.ts'
import { Reasons } from './reasons.ts'
import { createPrediction } from './recovery.ts'
import type { Entry, Kind } from './verdict.ts'
import { Versions } from './views.ts'
import { type PageWalk, withoutLooks } from './walks.ts'

export interface Criteria {
  readonly table: TableName
  /** Undefined if what was delivered is judged. */
  readonly copy: CopiedRows | undefined
  readonly ignored: ReadonlySet<string>
  /** Reports whether a scenario hides a record from the client. */
  readonly isHidden: (id: number) => boolean
}

/** The number of records that are listed in one step. */
const SLICE = 5_000

/** Judges the records of a collection. Returns their number. */
export function* judgeCollection(
  context: Context,
  criteria: Criteria,
  builder: VerdictBuilder,
): Steps<number> {
  const ids = new Set<number>()
  for (const listed of listIds(context, criteria)) {
    for (const id of listed) ids.add(id)
    yield
  }
  const ascending = yield* sortInSteps([...ids], (a, b) => a - b)
  const judge = new CollectionJudge(context, criteria)
  for (const id of ascending) {
    yield
    yield* judge.judge(id, builder)
  }
  return ids.size
}

/** Lists the records that the client has, and those that the service has, some at a time. */
function* listIds({ past, reads, caller }: Context, { table, copy }: Criteria): Generator<readonly number[]> {
  const copied = [...(copy?.keys() ?? [])]
  for (let at = 0; at < copied.length; at += SLICE) yield copied.slice(at, at + SLICE)
  if (!copy) for (const read of reads) if (read.table === table) yield [...(read.rows?.keys() ?? [])]
  const present = past.moveTo(past.now).select(table, [])
  for (let at = 0; at < present.total; at += SLICE) {
    yield present.page(at, SLICE).flatMap((row) => (isVisible(row, caller) ? [row.id] : []))
  }
}

class CollectionJudge {
  readonly #context: Context
  readonly #criteria: Criteria
  readonly #versions: Versions
  readonly #reasons: Reasons
  readonly #predict: ReturnType<typeof createPrediction>

  constructor(context: Context, criteria: Criteria) {
    const { table } = criteria
    this.#context = context
    this.#criteria = criteria
    this.#versions = createVersions(context, table)
    const walks = withoutLooks(context.walks, (page) => this.#isTaken(page))
    const parents = isOfCustomer(table) ? createCustomerReasons(context, walks) : undefined
    this.#reasons = new Reasons(context, this.#versions, walks, (id) => parents?.explainLoss(id))
    this.#predict = createPrediction(context, this.#versions, this.#reasons)
  }

  /** Reports whether the copy has something of a page that no earlier response has shown. */
  #isTaken(page: Read): boolean {
    const { copy, table } = this.#criteria
    if (!copy || page.table !== table) return false
    return Array.from(page.rows ?? []).some(([id, shown]) => {
      const row = copy.get(id)?.at(-1)
      const showing = this.#context.findShowing(table, id).filter((read) => read.id <= page.id)
      const [first] = listShown(id, showing).flatMap((one, at) =>
        row && this.#findDifferences(row, one).length === 0 ? [showing[at]] : [],
      )
      return first === page && shown !== undefined
    })
  }

  *judge(id: number, builder: VerdictBuilder): Generator<undefined, void> {
    const count = this.#criteria.copy?.get(id)?.length ?? 0
    if (count > 1) builder.add('doubled', this.#describeDoubled(id, count))
    const result = this.#check(id)
    if (result === 'pending') builder.addPending(this.#criteria.table, id)
    if (result === 'pending' || result === 'correct') return
    yield* this.#reasons.prepare(id)
    builder.add(result, this.#describe(result, id))
  }

  /** Compares what the client has of a record with every version since it last began to read it. */
  #check(id: number): 'correct' | 'pending' | 'missed' | 'stale' | 'ghosts' {
    const { now } = this.#context.past
    const copied = this.#listCopied(id)
    if (copied.length === 0 && this.#criteria.isHidden(id)) return 'correct'
    const present = this.#compare(id, copied, now.index)
    if (present.isMatch) return 'correct'
    let existed = present.exists
    for (let index = this.#reasons.findStart(id); index < present.from;) {
      const { isMatch, exists, to } = this.#compare(id, copied, index)
      if (isMatch) return 'pending'
      existed ||= exists
      index = to + 1
    }
    if (copied.length === 0) return 'missed'
    return existed ? 'stale' : 'ghosts'
  }

  /** Lists what the client has of a record: the last row of its copy, or all that was delivered. */
  #listCopied(id: number): readonly JsonObject[] {
    const { copy, table } = this.#criteria
    return copy ? (copy.get(id)?.slice(-1) ?? []) : listShown(id, this.#context.findShowing(table, id))
  }

  #compare(
    id: number,
    copied: readonly JsonObject[],
    index: number,
  ): Span & { readonly isMatch: boolean; readonly exists: boolean } {
    const { copy } = this.#criteria
    const presence = this.#versions.findRow(id, index)
    const exists = presence.row !== undefined
    // A copy of ids is compared without presenting any record.
    const isContentNeeded = copied.some((row) => Object.keys(row).length > 0)
    if (copy && !(exists && isContentNeeded)) {
      return { ...presence, exists, isMatch: exists === copied.length > 0 }
    }
    const span = exists ? this.#versions.find(id, index) : presence
    const members: Reads = { rows: [], tables: new Set(['members']) }
    const { from, to } = copy ? span : this.#context.past.findSpan(index, members, span)
    const versions = this.#listVersions(id, index)
    const isMatch =
      versions.length > 0
        ? copied.some((row) => versions.some((shown) => this.#findDifferences(row, shown).length === 0))
        : copied.length === 0 || (!copy && this.#reasons.isKnownGone(id))
    return { from, to, exists, isMatch }
  }

  #findDifferences(row: JsonObject, shown: JsonObject): string[] {
    return findDifferentFields(row, shown, this.#criteria.ignored)
  }

  /** Lists the forms in which the service may have shown a record in a state, as the client keeps it. */
  #listVersions(id: number, index: number): readonly JsonObject[] {
    const { shown, text } = this.#versions.find(id, index)
    if (!shown || (!this.#criteria.copy && !this.#isListed(id, index))) return []
    const rewritten = this.#context
      .findShowing(this.#criteria.table, id)
      .filter((read) => read.isRewritten && this.#versions.find(id, read.state.index).text === text)
    return [shown, ...listShown(id, rewritten)]
  }

  /** Reports whether a list that the client reads has a record. */
  #isListed(id: number, index: number): boolean {
    const { row } = this.#versions.findRow(id, index)
    return (
      row !== undefined &&
      this.#reasons.findWalks(id).some(({ first }) => this.#context.lists.isListed(first, row, index))
    )
  }

  #describe(kind: 'missed' | 'stale' | 'ghosts', id: number): Entry {
    const { since } = this.#context
    const row = this.#listCopied(id).at(-1)
    const isCopied = ({ rows }: Read): boolean => {
      const shown = rows?.get(id)
      return row !== undefined && shown !== undefined && this.#findDifferences(row, shown).length === 0
    }
    const cause = this.#reasons.explain({ kind, id, isCopied })
    const text = `${cause.text}, and requests before ${since} are forgotten`
    const isForgotten = since !== undefined && cause.reason === 'never_requested'
    const finding: Finding = isForgotten ? { ...cause, reason: 'unknown', text } : cause
    const due = kind === 'stale' ? this.#findDue(id) : undefined
    const fields = row && due && this.#findDifferences(row, due)
    return this.#createEntry(kind, id, finding, this.#predict(id, finding), fields)
  }

  /** Finds the first form of a record that the client should have since it last began to read it. */
  #findDue(id: number): JsonObject | undefined {
    const start = this.#reasons.findStart(id)
    for (const { from } of this.#versions.list(id, start)) {
      const [due] = this.#listVersions(id, Math.max(from, start))
      if (due) return due
    }
    return undefined
  }

  #describeDoubled(id: number, count: number): Entry {
    const showing = this.#context.findShowing(this.#criteria.table, id)
    const walk = this.#reasons
      .findWalks(id)
      .findLast(({ answered }) => answered.filter(({ rows }) => rows?.has(id)).length > 1)
    const delivered = walk?.answered.filter(({ rows }) => rows?.has(id)) ?? showing
    const ids = delivered.slice(0, 5).map((read) => read.id)
    const by =
      ids.length > 1
        ? `requests ${ids.join(' and ')} (the last: ${delivered.slice(-1).map(nameRequest)[0]}) have delivered it`
        : ''
    const text = walk
      ? `${by}, because it moved to a later page between them`
      : `the copy has it ${count} times${by && `: ${by}`}`
    const finding = createFinding(walk ? 'page_drift' : 'unknown', delivered, text)
    return this.#createEntry('doubled', id, finding, 'never')
  }

  #createEntry(
    kind: Kind,
    id: number,
    { reason, requests, text }: Finding,
    heals: Entry['heals'],
    fields?: string[],
  ): Entry {
    const { table } = this.#criteria
    return {
      collection: table,
      id,
      reason,
      requests: requests.slice(0, MAX_REQUESTS),
      ...(fields && { fields }),
      heals,
      text: `${capitalize(nameRecord(table, id))} ${describeKind(kind, fields ?? [])}: ${text}.`,
    }
  }
}

const MAX_REQUESTS = 20

const listShown = (id: number, reads: readonly Read[]): JsonObject[] =>
  reads.map(({ rows }) => rows?.get(id)).filter((shown) => shown !== undefined)

function createVersions(context: Context, table: TableName): Versions {
  const { list, single } = findOperations(table)
  const readsSingle = context.reads.some(({ delivery }) => delivery.endpoint === single)
  return new Versions(context, single && readsSingle ? single : list)
}

/** Finds out why customers were lost, if the client reads their list. */
function createCustomerReasons(context: Context, walks: readonly PageWalk[]): Reasons | undefined {
  if (!walks.some(({ table }) => table === 'customers')) return undefined
  return new Reasons(context, createVersions(context, 'customers'), walks, () => undefined)
}

function describeKind(kind: Kind, fields: readonly string[]): string {
  if (kind === 'missed') return 'is missing'
  if (kind === 'stale') return `is stale (${fields.join(', ')})`
  return kind === 'doubled' ? 'is there more than once' : 'is still there'
}
