import { checkReferences, type Lookup } from '../../src/store/references.ts'
import {
  getKeys,
  tableNames,
  tables,
  type IndexName,
  type Row,
  type TableName,
} from '../../src/store/tables.ts'
import type { Key } from '../../src/store/tables/define.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { formatInstant, parseTime } from '../calendar/time.ts'
import { childTables } from '../dataset/generated-ids.ts'
import { createGenerator } from '../dataset/generators.ts'
import { fixtureError } from '../fixtures/fixture-errors.ts'
import type { PartialRow, TimelineStep } from '../fixtures/fixture-timeline.ts'
import { parseRelativeTime, resolveTimes } from '../fixtures/relative-times.ts'
import { recordChange, type Changes } from './customer-timeline.ts'
import type { LivingDataset } from './living-dataset.ts'

export interface TimelineState {
  readonly done: number
  readonly written: Changes
  readonly nextMs: number
}

/**
 * Creates the timeline of a fixture.
 * Errors: `invalid_request` for a step that is not after the dataset's time, or one with a dangling reference.
 */
export function createFixtureTimeline(
  dataset: LivingDataset,
  steps: readonly TimelineStep[],
  fixture: string,
) {
  const timed = steps
    .map((step) => ({ step, atMs: findTime(step, dataset, fixture) }))
    .toSorted((a, b) => a.atMs - b.atMs)
  const stateAt = (done: number, written: Changes): TimelineState => ({
    done,
    written,
    nextMs: timed[done]?.atMs ?? Infinity,
  })
  const begin = (): TimelineState => stateAt(0, {})
  const advance = ({ done, written }: TimelineState, toMs: number, changes: Changes): TimelineState => {
    const rows = new TimelineRows(dataset, written, changes)
    let count = done
    for (let next = timed[count]; next && next.atMs <= toMs; next = timed[count]) {
      applyStep(next.step, { rows, nowMs: next.atMs, dataset, fixture })
      count += 1
    }
    return stateAt(count, rows.written)
  }
  // Reports errors at once.
  advance(begin(), Infinity, {})
  return {
    begin,
    advance,
  }
}

function findTime({ at, place }: TimelineStep, { nowMs }: LivingDataset, fixture: string): number {
  const atMs = parseRelativeTime(at, nowMs) ?? parseTime(at)
  if (atMs > nowMs) return atMs
  const message = `must be after ${formatInstant(nowMs)}, the time of the dataset`
  throw fixtureError(fixture, { path: `${place}.at`, message, remedy: 'Write a later time' })
}

const copyChanges = (changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).map(([table, rows]) => [table, new Map<number, unknown>(rows)]))

class TimelineRows implements Lookup {
  readonly organizations: readonly OrganizationRow[]
  readonly written: Changes
  readonly #changes: Changes
  readonly #data: Lookup

  constructor({ source }: LivingDataset, written: Changes, changes: Changes) {
    this.organizations = source.data.organizations
    this.#data = source.data
    this.#changes = changes
    this.written = copyChanges(written)
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const rows: ReadonlyMap<number, Row<T> | null> | undefined = this.written[table]
    const changed = rows?.get(id)
    return changed === undefined ? this.#data.get(table, id) : (changed ?? undefined)
  }

  list<T extends TableName>(table: T, organizationId: string): readonly Row<T>[] {
    const changed: ReadonlyMap<number, Row<T> | null> = this.written[table] ?? new Map()
    const added = [...changed.values()].flatMap((row) =>
      row?.organizationId === organizationId ? [row] : [],
    )
    return [...this.#data.list(table, organizationId).filter(({ id }) => !changed.has(id)), ...added]
  }

  find<T extends TableName>(table: T, index: IndexName<T>, key: Key): readonly Row<T>[] {
    const changed: ReadonlyMap<number, Row<T> | null> = this.written[table] ?? new Map()
    const added = [...changed.values()].flatMap((row) =>
      row && getKeys(table, index, row).includes(key) ? [row] : [],
    )
    return [...this.#data.find(table, index, key).filter(({ id }) => !changed.has(id)), ...added]
  }

  put<T extends TableName>(table: T, id: number, row: Row<T> | null): void {
    recordChange(this.written, table, id, row)
    recordChange(this.#changes, table, id, row)
  }

  delete(table: TableName, id: number): void {
    const customer = table === 'customers' ? this.get('customers', id) : undefined
    this.put(table, id, null)
    if (!customer) return
    for (const child of childTables) {
      const rows: readonly Row<TableName>[] = this.list(child, customer.organizationId)
      for (const row of rows) if ('customerId' in row && row.customerId === id) this.put(child, row.id, null)
    }
  }
}

interface StepContext {
  readonly rows: TimelineRows
  readonly nowMs: number
  readonly dataset: LivingDataset
  readonly fixture: string
}

function applyStep(step: TimelineStep, context: StepContext): void {
  const { rows, fixture } = context
  for (const table of tableNames) applyRecords(table, step.records[table] ?? [], context)
  for (const table of tableNames) {
    for (const id of step.deleted[table] ?? []) rows.delete(table, id)
  }
  for (const table of tableNames) {
    for (const [index, { id }] of (step.records[table] ?? []).entries()) {
      const row = rows.get(table, id)
      const [fault] = row ? checkReferences(table, row, rows) : []
      if (fault)
        throw fixtureError(fixture, { ...fault, path: `${step.place}.${table}[${index}].${fault.path}` })
    }
  }
}

function applyRecords<T extends TableName>(
  table: T,
  records: readonly PartialRow<T>[],
  { rows, nowMs, dataset }: StepContext,
): void {
  const now = formatInstant(nowMs)
  const { shape } = tables[table].row
  const updated = 'updatedDate' in shape ? { updatedDate: now } : {}
  const created = 'createdDate' in shape ? { createdDate: now } : {}
  const generate = createGenerator({ seed: dataset.seed, now, data: rows })
  for (const record of records) {
    const fields = resolveTimes(record, dataset.nowMs)
    const before = rows.get(table, fields.id)
    const row = before
      ? { ...before, ...updated, ...fields }
      : generate(table, fields.id, { ...created, ...updated, ...fields })
    rows.put(table, fields.id, row)
  }
}
