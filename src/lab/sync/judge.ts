import type { JsonObject } from '../../core/json.ts'
import type { Steps } from '../../core/slices.ts'
import { sortInSteps } from '../../core/sort-in-steps.ts'
import { enumerate } from '../../core/words.ts'
import type { TableName } from '../../store/tables.ts'
import { selectVisible } from './collections.ts'
import { findDifferentFields, isSame, isVersion } from './compare.ts'
import type { Context } from './context.ts'
import type { CopiedRows } from './copies.ts'
import type { VerdictBuilder, WrongRow } from './create-verdict.ts'
import { createFinding, type Finding } from './losses.ts'
import type { Reads, Span } from './past.ts'
import { nameRequest, type Read } from './reads.ts'
import { Reasons } from './reasons.ts'
import { createPrediction } from './recovery.ts'
import type { Versions } from './views.ts'
import { withoutLooks } from './walks.ts'

export interface Criteria {
  readonly table: TableName
  /** All that were given; undefined if what was delivered is judged. */
  readonly copies: ReadonlyMap<TableName, CopiedRows> | undefined
  readonly ignored: ReadonlySet<string>
  /** Reports whether a scenario hides a record from the client. */
  readonly isHidden: (id: number) => boolean
}

/** Judges the records of a collection. Returns their number. */
export function* judgeCollection(
  context: Context,
  criteria: Criteria,
  builder: VerdictBuilder,
): Steps<number> {
  const ids = new Set<number>()
  for (const id of listIds(context, criteria)) {
    ids.add(id)
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

/** Lists the records that the client has, and those that the service has. */
function* listIds({ past, reads, caller }: Context, { table, copies }: Criteria): Generator<number> {
  if (copies) yield* copies.get(table)?.keys() ?? []
  else for (const read of reads) if (read.table === table) yield* read.rows?.keys() ?? []
  for (const rows of selectVisible(past.moveTo(past.now), table, caller)) for (const { id } of rows) yield id
}

class CollectionJudge {
  readonly #context: Context
  readonly #criteria: Criteria
  readonly #copy: CopiedRows | undefined
  readonly #versions: Versions
  readonly #reasons: Reasons
  readonly #predict: ReturnType<typeof createPrediction>

  constructor(context: Context, criteria: Criteria) {
    const { table, copies } = criteria
    this.#context = context
    this.#criteria = criteria
    this.#copy = copies?.get(table)
    const walks = withoutLooks(context.walks, (page) => this.#isTaken(page))
    this.#reasons = new Reasons({ ...context, walks }, table)
    this.#versions = this.#reasons.versions
    this.#predict = createPrediction(context, this.#reasons)
  }

  /** Reports whether the copy has something of a page that no earlier response has shown. */
  #isTaken(page: Read): boolean {
    const copy = this.#criteria.copies?.get(page.table)
    return Array.from((copy && page.rows?.keys()) ?? []).some((id) => {
      const row = copy?.get(id)?.at(-1)
      return this.#context.findShowing(page.table, id).find((read) => this.#isCopy(row, id, read)) === page
    })
  }

  /** Reports whether a row of the copy is what a request has shown. */
  #isCopy(row: JsonObject | undefined, id: number, read: Read): boolean {
    const shown = read.getRow(id)
    return row !== undefined && shown !== undefined && isVersion(row, shown, this.#criteria.ignored)
  }

  *judge(id: number, builder: VerdictBuilder): Generator<undefined, void> {
    const count = this.#copy?.get(id)?.length ?? 0
    if (count > 1) builder.add(this.#describeDoubled(id, count))
    const result = this.#check(id)
    if (result === 'pending') builder.addPending(this.#criteria.table, id)
    if (result === 'pending' || result === 'correct') return
    yield* this.#reasons.prepare(id)
    builder.add(this.#describe(result, id))
  }

  /** Compares what the client has of a record with every version since it last began to read it. */
  #check(id: number): 'correct' | 'pending' | 'missed' | 'stale' | 'ghosts' {
    const { now } = this.#context.past
    const copied = this.#listCopied(id)
    if (copied.length === 0 && this.#criteria.isHidden(id)) return 'correct'
    const present = this.#compare(id, copied, now.index)
    if (present.isMatch) return 'correct'
    const start = this.#reasons.chances.findStart(id)
    for (let index = start; index < present.from;) {
      const { isMatch, to } = this.#compare(id, copied, index)
      if (isMatch) return 'pending'
      index = to + 1
    }
    if (copied.length === 0) return 'missed'
    return (this.#versions.findLast(id) ?? -1) >= start ? 'stale' : 'ghosts'
  }

  /** Lists what the client has of a record: the last row of its copy, or all that was delivered. */
  #listCopied(id: number): readonly JsonObject[] {
    const rows = this.#copy?.get(id)?.slice(-1) ?? []
    return this.#copy ? rows : listShown(id, this.#context.findShowing(this.#criteria.table, id))
  }

  #compare(id: number, copied: readonly JsonObject[], index: number): Span & { readonly isMatch: boolean } {
    // A copy of ids is compared without presenting any record.
    if (this.#copy && copied.every((row) => Object.keys(row).length === 0)) {
      const { row, from, to } = this.#versions.findRow(id, index)
      return { from, to, isMatch: (row !== undefined) === copied.length > 0 }
    }
    const span = this.#versions.find(id, index)
    const members: Reads = { rows: [], tables: new Set(['members']) }
    const { from, to } = this.#copy ? span : this.#context.past.findSpan(index, members, span)
    const versions = this.#listVersions(id, index)
    const isMatch =
      versions.length > 0
        ? copied.some((row) => versions.some((shown) => isVersion(row, shown, this.#criteria.ignored)))
        : copied.length === 0 || (!this.#copy && this.#reasons.chances.isKnownGone(id))
    return { from, to, isMatch }
  }

  /** Lists the forms in which the service may have shown a record in a state, as the client keeps it. */
  #listVersions(id: number, index: number): readonly JsonObject[] {
    const { shown } = this.#versions.find(id, index)
    const showing = this.#context.findShowing(this.#criteria.table, id)
    const isDue = this.#copy !== undefined || showing.length > 0 || this.#reasons.chances.isListed(id, index)
    if (!shown || !isDue) return []
    const rewritten = showing.filter(
      (read) => read.isRewritten && isSame(this.#versions.find(id, read.state.index).shown, shown),
    )
    return [shown, ...listShown(id, rewritten)]
  }

  #describe(kind: 'missed' | 'stale' | 'ghosts', id: number): WrongRow {
    const { since } = this.#context
    const { table: collection, ignored } = this.#criteria
    const row = this.#listCopied(id).at(-1)
    const cause = this.#reasons.explain({ kind, id, isCopied: (read) => this.#isCopy(row, id, read) })
    const text = `${cause.text}, and requests before ${since} are forgotten`
    const isForgotten = since !== undefined && cause.requests.length === 0
    const finding: Finding = isForgotten ? { ...cause, reason: 'unknown', text } : cause
    const due = kind === 'stale' ? this.#findDue(id) : undefined
    const fields = row && due && findDifferentFields(row, due, ignored)
    return { kind, collection, id, finding, fields, heals: this.#predict(id, finding) }
  }

  /** Finds the first form of a record that the client should have since it last began to read it. */
  #findDue(id: number): JsonObject | undefined {
    const start = this.#reasons.chances.findStart(id)
    for (const { from } of this.#versions.list(id, start)) {
      const [due] = this.#listVersions(id, Math.max(from, start))
      if (due) return due
    }
    return undefined
  }

  #describeDoubled(id: number, count: number): WrongRow {
    const { table: collection } = this.#criteria
    const repeated = this.#reasons.chances
      .findWalks(id)
      .map(({ answered }) => answered.filter(({ rows }) => rows?.has(id)))
      .findLast(({ length }) => length > 1)
    const delivered = repeated ?? this.#context.findShowing(collection, id)
    const ids = delivered.map((read) => `${read.id}`)
    const by =
      ids.length > 1
        ? `requests ${enumerate(ids)} (the last: ${delivered.slice(-1).map(nameRequest)[0]}) have delivered it`
        : ''
    const text = repeated
      ? `${by}, because it moved to a later page between them`
      : `the copy has it ${count} times${by && `: ${by}`}`
    const finding = createFinding(repeated ? 'page_drift' : 'unknown', delivered, text)
    return { kind: 'doubled', collection, id, finding, heals: 'never' }
  }
}

const listShown = (id: number, reads: readonly Read[]): JsonObject[] =>
  reads.map((read) => read.getRow(id)).filter((shown) => shown !== undefined)
