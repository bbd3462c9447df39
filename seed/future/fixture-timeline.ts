import { checkReferences } from '../../src/store/references.ts'
import { tableNames, tables, type Row, type TableName } from '../../src/store/tables.ts'
import { formatInstant, parseTime } from '../calendar/time.ts'
import { childTables } from '../dataset/generated-ids.ts'
import { createGenerator } from '../dataset/generators.ts'
import { fixtureError } from '../fixtures/fixture-errors.ts'
import type { PartialRow, TimelineStep } from '../fixtures/fixture-timeline.ts'
import { parseRelativeTime, resolveTimes } from '../fixtures/relative-times.ts'
import { recordChange, type Changes } from './customer-timeline.ts'
import type { FutureSource } from './living-dataset.ts'
import type { TenantEvent } from './organizations.ts'

/**
 * Lists what happens in the timeline of a fixture. Order: by time.
 * Errors: `invalid_request` for a step that is not after the dataset's time, or one with a dangling reference.
 */
export function listFixtureEvents(source: FutureSource): TenantEvent[] {
  const steps = source.timeline.map((step) => ({ step, atMs: findTime(step, source) }))
  steps.sort((a, b) => a.atMs - b.atMs)
  return steps.map(({ step, atMs }) => {
    const changed = new FixtureStep(source, atMs).apply(step)
    return {
      atMs,
      record: (changes) => {
        for (const table of tableNames) {
          const rows: ReadonlyMap<number, Row<TableName> | null> = changed[table] ?? new Map()
          for (const [id, row] of rows) recordChange(changes, table, id, row)
        }
      },
    }
  })
}

function findTime({ at, place }: TimelineStep, { now, fixture }: FutureSource): number {
  const nowMs = parseTime(now)
  const atMs = parseRelativeTime(at, nowMs) ?? parseTime(at)
  if (atMs > nowMs) return atMs
  const message = `must be after ${formatInstant(nowMs)}, the time of the dataset`
  throw fixtureError(fixture, { path: `${place}.at`, message, remedy: 'Write a later time' })
}

class FixtureStep {
  readonly #source: FutureSource
  readonly #now: string
  readonly #changes: Changes = {}

  constructor(source: FutureSource, atMs: number) {
    this.#source = source
    this.#now = formatInstant(atMs)
  }

  apply({ records, deleted, place }: TimelineStep): Changes {
    const { draft, fixture } = this.#source
    for (const table of tableNames) this.#write(table, records[table] ?? [])
    for (const table of tableNames) for (const id of deleted[table] ?? []) this.#delete(table, id)
    for (const table of tableNames) {
      for (const [index, { id }] of (records[table] ?? []).entries()) {
        const row = draft.get(table, id)
        const [fault] = row ? checkReferences(table, row, draft) : []
        if (fault)
          throw fixtureError(fixture, { ...fault, path: `${place}.${table}[${index}].${fault.path}` })
      }
    }
    return this.#changes
  }

  #write<T extends TableName>(table: T, records: readonly PartialRow<T>[]): void {
    const { draft, seed, now } = this.#source
    const { shape } = tables[table].row
    const updated = 'updatedDate' in shape ? { updatedDate: this.#now } : {}
    const created = 'createdDate' in shape ? { createdDate: this.#now } : {}
    const generate = createGenerator({ seed, now: this.#now, data: draft })
    for (const record of records) {
      const fields = resolveTimes(record, parseTime(now))
      const before = draft.get(table, fields.id)
      const row = before
        ? { ...before, ...updated, ...fields }
        : generate(table, fields.id, { ...created, ...updated, ...fields })
      this.#put(table, fields.id, row)
    }
  }

  #delete(table: TableName, id: number): void {
    const { draft } = this.#source
    const customer = table === 'customers' ? draft.get('customers', id) : undefined
    this.#put(table, id, null)
    if (!customer) return
    for (const child of childTables) {
      const rows: readonly Row<TableName>[] = draft.list(child, customer.organizationId)
      for (const row of rows) if ('customerId' in row && row.customerId === id) this.#put(child, row.id, null)
    }
  }

  #put<T extends TableName>(table: T, id: number, row: Row<T> | null): void {
    this.#source.draft.put(table, id, row)
    recordChange(this.#changes, table, id, row)
  }
}
