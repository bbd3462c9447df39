import { isObject, type JsonObject } from '../../core/json.ts'
import { capitalize } from '../../core/words.ts'
import { type Row, type TableName, nameRecord } from '../../store/tables.ts'
import { findOperations, listRows } from './collections.ts'
import { type Context, createFinding, type Finding } from './context.ts'
import type { CopiedRows } from './copies.ts'
import { createHealings } from './heals.ts'
import type { State } from './history.ts'
import type { Read } from './reads.ts'
import { createReasons } from './reasons.ts'
import type { RowMapper, Entry, Kind } from './verdict.ts'
import { findDifferentFields, Versions } from './versions.ts'
import { findRuns } from './walks.ts'

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
  const reasons = createReasons(context, versions, run, () => undefined)
  return (id) => reasons.explainLoss(id)
}

export function judgeCollection(
  context: Context,
  { table, copy, mapper, ignored, hidden }: Criteria,
): Judgement {
  const { history, walks, lists, reads, since, caller } = context
  const runs = findRuns(walks, table)
  const run = runs.at(-1)
  const versions = createVersions(context, table)
  const reasons = createReasons(context, versions, run, createCustomerReasons(context))
  const findHealing = createHealings(context, versions, runs)
  const window = history.states.slice((run?.first.state ?? history.now).index)
  const ofTable = walks.filter((walk) => walk.table === table)
  const families = [...new Map(ofTable.map((walk) => [walk.first.family, walk])).values()]

  const findShowing = (id: number): readonly Read[] => context.findShowing(table, id)

  const toClientForm = (shown: JsonObject): JsonObject | undefined => {
    const mapped = mapper ? mapper(shown) : shown
    if (mapped === undefined || mapped === null) return undefined
    return isObject(mapped) ? mapped : {}
  }

  const compare = (row: JsonObject, mapped: JsonObject): string[] => findDifferentFields(row, mapped, ignored)

  const listCopied = (id: number): readonly JsonObject[] =>
    copy ? (copy.get(id)?.slice(-1) ?? []) : listShown(id, findShowing(id))

  const listVersions = (id: number, state: State): readonly JsonObject[] => {
    const isListed =
      copy !== undefined ||
      families.some(({ first }) => lists.find(first, state, { withoutCursor: true }).has(id))
    const version = isListed ? versions.find(id, state) : undefined
    if (!version) return []
    const rewritten = findShowing(id).filter(
      (read) => read.isRewritten && versions.find(id, read.state)?.text === version.text,
    )
    return [version.shown, ...listShown(id, rewritten)]
      .map(toClientForm)
      .filter((mapped) => mapped !== undefined)
  }

  const matches = (id: number, copied: readonly JsonObject[], state: State): boolean => {
    const alternatives = listVersions(id, state)
    if (alternatives.length === 0) {
      return copied.length === 0 || (copy === undefined && reasons.isKnownGone(id))
    }
    return copied.some((row) => alternatives.some((shown) => compare(row, shown).length === 0))
  }

  const check = (id: number): 'correct' | 'pending' | 'missed' | 'stale' | 'ghosts' => {
    const copied = listCopied(id)
    if (copied.length === 0 && hidden.has(id)) return 'correct'
    if (matches(id, copied, history.now)) return 'correct'
    if (window.some((state) => matches(id, copied, state))) return 'pending'
    if (copied.length === 0) return 'missed'
    return window.some((state) => versions.find(id, state)) ? 'stale' : 'ghosts'
  }

  const createEntry = (
    kind: Kind,
    id: number,
    { reason, requests, text }: Finding,
    heals: Entry['heals'],
    fields?: readonly string[],
  ): Judged => ({
    kind,
    collection: table,
    id,
    reason,
    requests: requests.slice(0, MAX_REQUESTS),
    ...(fields && { fields: [...fields] }),
    heals,
    text: `${capitalize(nameRecord(table, id))} ${describeKind(kind, fields ?? [])}: ${text}.`,
  })

  const describe = (kind: 'missed' | 'stale' | 'ghosts', id: number): Judged => {
    const row = listCopied(id).at(-1)
    const isCopied = ({ rows }: Read): boolean => {
      const shown = rows?.get(id)
      const mapped = shown && toClientForm(shown)
      return row !== undefined && mapped !== undefined && compare(row, mapped).length === 0
    }
    const cause = reasons.explain({ kind, id, isCopied })
    const text = `${cause.text}, and requests before ${since} are forgotten`
    const isForgotten = since !== undefined && cause.reason === 'never_requested'
    const finding: Finding = isForgotten ? { ...cause, reason: 'unknown', text } : cause
    const [due] = window.flatMap((state) => listVersions(id, state).slice(0, 1))
    const fields = kind === 'stale' && row && due ? compare(row, due) : undefined
    return createEntry(kind, id, finding, findHealing(id, finding), fields)
  }

  const describeDoubled = (id: number, count: number): Judged => {
    const showing = findShowing(id)
    const walk = walks.findLast(
      ({ answered }) => answered.filter((read) => showing.includes(read)).length > 1,
    )
    const delivered = (walk?.answered ?? showing).filter((read) => showing.includes(read))
    const ids = delivered.slice(0, 5).map((read) => read.id)
    const by = ids.length > 1 ? `requests ${ids.join(' and ')} have delivered it` : ''
    const text = walk
      ? `${by}, because it moved to a later page between them`
      : `the copy has it ${count} times${by && `: ${by}`}`
    const finding = createFinding(walk ? 'page_drift' : 'unknown', delivered, text)
    return createEntry('doubled', id, finding, 'never')
  }

  const rows: readonly Row<TableName>[] = listRows(table, history.now.data, caller)
  const shown = reads.flatMap((read) => (read.table === table ? [...(read.rows?.keys() ?? [])] : []))
  const ids = new Set([...rows.map(({ id }) => id), ...(copy?.keys() ?? shown)])
  const entries: Judged[] = []
  let pending = 0
  for (const id of [...ids].toSorted((a, b) => a - b)) {
    const copies = copy?.get(id)?.length ?? 0
    if (copies > 1) entries.push(describeDoubled(id, copies))
    const result = check(id)
    if (result === 'pending') pending += 1
    else if (result !== 'correct') entries.push(describe(result, id))
  }
  return { entries, pending }
}

const MAX_REQUESTS = 20

function describeKind(kind: Kind, fields: readonly string[]): string {
  if (kind === 'missed') return 'is missing'
  if (kind === 'stale') return `is stale (${fields.join(', ')})`
  return kind === 'doubled' ? 'is there more than once' : 'is still there'
}
