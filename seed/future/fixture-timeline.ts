import { listPartTables } from '../../src/store/references.ts'
import { selectReferring } from '../../src/store/referring.ts'
import {
  type Change,
  nameRecord,
  tableNames,
  tables,
  toChange,
  type Row,
  type TableName,
} from '../../src/store/tables.ts'
import { formatInstant } from '../calendar/time.ts'
import { createGenerator } from '../dataset/generators.ts'
import { checkFixtureRow, fixtureError, generateAt } from '../fixtures/fixture-errors.ts'
import type { PartialRow, TimelineStep } from '../fixtures/fixture-file.ts'
import { parseRelativeTime, resolveTimes } from '../fixtures/relative-times.ts'
import type { FutureSource } from './living-dataset.ts'
import type { TenantEvent } from './organizations.ts'

/**
 * Lists what happens in the timeline of a fixture. Order: by time.
 * Errors: `invalid_request` for a step that is not after the dataset's time, or one with a dangling reference.
 */
export function listFixtureEvents(source: FutureSource): TenantEvent[] {
  const { fixture } = source
  const nowMs = Date.parse(source.now)
  const steps = fixture.timeline.map((step) => {
    const atMs = parseRelativeTime(step.at, nowMs) ?? Date.parse(step.at)
    if (atMs > nowMs) return { step, atMs }
    const message = `must be after ${formatInstant(nowMs)}, the time of the dataset`
    const path = `${step.place}.at`
    throw fixtureError(fixture.name, { path, message, remedy: 'Write a later time' })
  })
  return steps
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ step, atMs }) => ({ atMs, changes: applyStep(step, atMs, source) }))
}

/** Applies a step to the draft of the data, and returns the changed rows. */
function applyStep(step: TimelineStep, atMs: number, source: FutureSource): readonly Change[] {
  const { draft, seed } = source
  const fixture = source.fixture.name
  const now = formatInstant(atMs)
  const changes: Change[] = []
  const put = <T extends TableName>(table: T, id: number, row: Row<T> | null): void => {
    const change = toChange(table, id, row)
    draft.load([change], true)
    changes.push(change)
  }
  /** Rows that are gone, or have another key, so that no other row may refer to them any more. */
  const lost: { readonly table: TableName; readonly row: Row<TableName>; readonly path: string }[] = []
  const write = <T extends TableName>(table: T, written: readonly PartialRow<T>[] = []): void => {
    const { shape } = tables[table].row
    const updated = 'updatedDate' in shape ? { updatedDate: now } : {}
    const created = 'createdDate' in shape ? { createdDate: now } : {}
    const generate = createGenerator({ seed, now, data: draft })
    for (const [index, record] of written.entries()) {
      const place = `${step.place}.${table}[${index}]`
      const fields = { ...updated, ...resolveTimes(record, Date.parse(source.now)) }
      const before = draft.get(table, record.id)
      if (before && 'key' in before && 'key' in fields && fields.key !== before.key)
        lost.push({ table, row: before, path: `${place}.key` })
      put(
        table,
        record.id,
        before
          ? { ...before, ...fields }
          : generateAt(fixture, place, () => generate(table, record.id, { ...created, ...fields })),
      )
    }
  }
  const remove = (table: TableName, id: number, path: string): void => {
    const row = draft.get(table, id)
    if (row) lost.push({ table, row, path })
    put(table, id, null)
    for (const { table: name, field } of listPartTables(table))
      for (const part of draft.find(name, field, id)) remove(name, part.id, path)
  }
  for (const table of tableNames) write(table, step[table])
  for (const table of tableNames) {
    for (const [index, id] of (step.delete?.[table] ?? []).entries())
      remove(table, id, `${step.place}.delete.${table}[${index}]`)
  }
  for (const { table, row, path } of lost) {
    for (const name of tableNames) {
      const [user] = selectReferring(name, table, row, draft, draft.get(table, row.id) !== undefined).page(
        0,
        1,
      )
      if (!user) continue
      const message = `leaves ${nameRecord(name, user.id)} without the ${tables[table].noun} it refers to`
      throw fixtureError(fixture, { path, message, remedy: 'Change or delete that record in the same step' })
    }
  }
  for (const table of tableNames) {
    for (const [index, fields] of (step[table] ?? []).entries()) {
      checkFixtureRow(fixture, table, { place: `${step.place}.${table}[${index}]`, fields }, draft)
    }
  }
  return changes
}
