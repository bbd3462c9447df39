import { isObject, type JsonObject } from '../core/json.ts'
import { capitalize } from '../core/words.ts'
import { type Row, type TableName, nameRecord } from '../store/tables.ts'
import { findOperations, listRows } from './collections.ts'
import { type Context, createFinding, type Finding } from './context.ts'
import type { CopiedRows } from './copies.ts'
import { createHealings } from './heals.ts'
import type { State } from './history.ts'
import type { Read } from './reads.ts'
import { Reasons } from './reasons.ts'
import type { RowMapper, Entry, Kind } from './verdict.ts'
import { findDifferentFields, Versions } from './versions.ts'
import { findRuns, type Pages } from './walks.ts'

export type Judged = Entry & { readonly kind: Kind }

interface Criteria {
  readonly table: TableName
  readonly copy: CopiedRows | undefined
  readonly mapper: RowMapper | undefined
  readonly ignored: ReadonlySet<string>
  readonly hidden: ReadonlySet<number>
}

interface Judgement {
  readonly entries: readonly Judged[]
  readonly pending: number
}

const listShown = (id: number, reads: readonly Read[]): JsonObject[] =>
  reads.map(({ rows }) => rows?.get(id)).filter((shown) => shown !== undefined)

function createVersions(context: Context, table: TableName): Versions {
  const { list, single } = findOperations(table)
  const readsSingle = context.reads.some(({ delivery }) => delivery.endpoint === single)
  return new Versions(context, single && readsSingle ? single : list)
}

function createCustomerReasons(context: Context): (id: number) => Finding | undefined {
  if (!context.walks.some(({ table }) => table === 'customers')) return () => undefined
  const [run] = findRuns(context.walks, 'customers').slice(-1)
  const versions = createVersions(context, 'customers')
  const reasons = new Reasons(context, versions, run, () => undefined)
  return (id) => reasons.explainLoss(id)
}

export class Judge {
  readonly #context: Context
  readonly #criteria: Criteria
  readonly #versions: Versions
  readonly #reasons: Reasons
  readonly #findHealing: ReturnType<typeof createHealings>
  readonly #window: readonly State[]
  readonly #families: readonly Pages[]

  constructor(context: Context, criteria: Criteria) {
    const { table } = criteria
    const { history, walks } = context
    const runs = findRuns(walks, table)
    const [run] = runs.slice(-1)
    this.#context = context
    this.#criteria = criteria
    this.#versions = createVersions(context, table)
    this.#reasons = new Reasons(context, this.#versions, run, createCustomerReasons(context))
    this.#findHealing = createHealings(context, this.#versions, runs)
    this.#window = history.states.slice((run?.first.state ?? history.now).index)
    const ofTable = walks.filter((walk) => walk.table === table)
    this.#families = [...new Map(ofTable.map((walk) => [walk.first.family, walk])).values()]
  }

  judge(): Judgement {
    const entries: Judged[] = []
    let pending = 0
    for (const id of this.#listIds()) {
      const rows = this.#criteria.copy?.get(id) ?? []
      if (rows.length > 1) entries.push(this.#describeDoubled(id, rows.length))
      const result = this.#check(id)
      if (result === 'pending') pending += 1
      else if (result !== 'correct') entries.push(this.#describe(result, id))
    }
    return { entries, pending }
  }

  #listIds(): number[] {
    const { table, copy } = this.#criteria
    const { history, caller, settings, reads } = this.#context
    const rows: readonly Row<TableName>[] = listRows(table, history.now.data, caller, settings)
    const shown = reads.flatMap((read) => (read.table === table ? [...(read.rows?.keys() ?? [])] : []))
    const ids = new Set([...rows.map(({ id }) => id), ...(copy?.keys() ?? shown)])
    return [...ids].toSorted((a, b) => a - b)
  }

  #listCopied(id: number): readonly JsonObject[] {
    const { copy, table } = this.#criteria
    if (copy) return copy.get(id)?.slice(-1) ?? []
    return listShown(id, this.#context.findShowing(table, id))
  }

  #check(id: number): 'correct' | 'pending' | 'missed' | 'stale' | 'ghosts' {
    const copied = this.#listCopied(id)
    if (copied.length === 0 && this.#criteria.hidden.has(id)) return 'correct'
    const { now } = this.#context.history
    if (this.#matches(id, copied, now)) return 'correct'
    if (this.#window.some((state) => this.#matches(id, copied, state))) return 'pending'
    if (copied.length === 0) return 'missed'
    return this.#window.some((state) => this.#versions.find(id, state)) ? 'stale' : 'ghosts'
  }

  #matches(id: number, copied: readonly JsonObject[], state: State): boolean {
    const alternatives = this.#listVersions(id, state)
    if (alternatives.length === 0) {
      if (copied.length === 0) return true
      return this.#criteria.copy === undefined && this.#reasons.isKnownGone(id)
    }
    return copied.some((row) => alternatives.some((shown) => this.#compare(row, shown).length === 0))
  }

  #listVersions(id: number, state: State): readonly JsonObject[] {
    const version = this.#isListed(id, state) ? this.#versions.find(id, state) : undefined
    if (!version) return []
    const rewritten = this.#context
      .findShowing(this.#criteria.table, id)
      .filter((read) => read.isRewritten && this.#versions.find(id, read.state)?.text === version.text)
    const shown = [version.shown, ...listShown(id, rewritten)]
    return shown.map((one) => this.#map(one)).filter((mapped) => mapped !== undefined)
  }

  #isListed(id: number, state: State): boolean {
    const { lists } = this.#context
    if (this.#criteria.copy) return true
    return this.#families.some(({ first }) => lists.find(first, state, { withoutCursor: true }).has(id))
  }

  #map(shown: JsonObject): JsonObject | undefined {
    const { mapper } = this.#criteria
    if (!mapper) return shown
    const mapped = mapper(shown)
    if (mapped === undefined || mapped === null) return undefined
    return isObject(mapped) ? mapped : {}
  }

  #compare(row: JsonObject, mapped: JsonObject): string[] {
    return findDifferentFields(row, mapped, this.#criteria.ignored)
  }

  #describe(kind: 'missed' | 'stale' | 'ghosts', id: number): Judged {
    const [row] = this.#listCopied(id).slice(-1)
    const isCopied = ({ rows }: Read): boolean => {
      const shown = rows?.get(id)
      const mapped = shown && this.#map(shown)
      return row !== undefined && mapped !== undefined && this.#compare(row, mapped).length === 0
    }
    const { since } = this.#context
    const cause = this.#reasons.explain({ kind, id, isCopied })
    const text = `${cause.text}, and requests before ${since} are forgotten`
    const isForgotten = since !== undefined && cause.reason === 'never_requested'
    const finding: Finding = isForgotten ? { ...cause, reason: 'unknown', text } : cause
    const [due] = this.#window.flatMap((state) => this.#listVersions(id, state).slice(0, 1))
    const fields = kind === 'stale' && row && due ? this.#compare(row, due) : undefined
    return this.#createEntry(kind, id, finding, this.#findHealing(id, finding), fields)
  }

  #describeDoubled(id: number, count: number): Judged {
    const showing = this.#context.findShowing(this.#criteria.table, id)
    const walk = this.#context.walks.findLast(
      ({ answered }) => answered.filter((read) => showing.includes(read)).length > 1,
    )
    const reads = (walk?.answered ?? showing).filter((read) => showing.includes(read))
    const ids = reads.slice(0, 5).map((read) => read.id)
    const by = ids.length > 1 ? `requests ${ids.join(' and ')} have delivered it` : ''
    const text = walk
      ? `${by}, because it moved to a later page between them`
      : `the copy has it ${count} times${by && `: ${by}`}`
    return this.#createEntry(
      'doubled',
      id,
      createFinding(walk ? 'page_drift' : 'unknown', reads, text),
      'never',
    )
  }

  #createEntry(
    kind: Kind,
    id: number,
    { reason, requests, text }: Finding,
    heals: Entry['heals'],
    fields?: readonly string[],
  ): Judged {
    const { table } = this.#criteria
    const state = kind === 'stale' ? `is stale (${(fields ?? []).join(', ')})` : states[kind]
    return {
      kind,
      collection: table,
      id,
      reason,
      requests: requests.slice(0, MAX_REQUESTS),
      ...(fields && { fields: [...fields] }),
      heals,
      text: `${capitalize(nameRecord(table, id))} ${state}: ${text}.`,
    }
  }
}

const MAX_REQUESTS = 20

const states = {
  missed: 'is missing',
  doubled: 'is there more than once',
  ghosts: 'is still there',
} as const
