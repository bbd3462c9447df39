import type * as z from 'zod'

import { addDuration } from '../contract/instants.ts'
import { invalidRequest, SandboxError } from '../core/errors.ts'
import { type JsonObject, listChangedFields } from '../core/json.ts'
import { groupBy } from '../core/maps.ts'
import type { Dataset } from '../store/dataset.ts'
import {
  type Difference,
  findDifferences,
  getKind,
  readLastDate,
  sortDifferences,
} from '../store/differences.ts'
import type { Data, SessionData } from '../store/session-data.ts'
import { type Row, type TableName, tableNames, nameRecord } from '../store/tables.ts'
import { PastData } from '../store/wrapped-data.ts'
import { countDays, findNextChange, listTimedRows } from './events.ts'
import type { Moments } from './moments.ts'
import type {
  ChangedRecord,
  ChangedRecords,
  ChangesQuery,
  Events,
  EventsQuery,
  RecordHistory,
  Version,
} from './timeline-types.ts'

export interface TimedSession {
  readonly data: SessionData
  readonly clock: { now(): string }
  readonly time: {
    readonly moments: Moments | undefined
    datasetAt(instant: string): Dataset
  }
}

type PresentRow = <T extends TableName>(table: T, row: Row<T>, data: Data) => object

interface TimedDifference extends Difference {
  readonly table: TableName
  readonly at?: string | undefined
  readonly bySession?: true
}

const MAX_NAME = 80

const MAX_VERSIONS = 250

const MAX_RANGE_MS = 400 * 86_400_000

const toInstant = (instant: string): string => new Date(instant).toISOString()

export class Timeline {
  readonly #session: TimedSession
  readonly #presentRow: PresentRow

  constructor(session: TimedSession, presentRow: PresentRow) {
    this.#session = session
    this.#presentRow = presentRow
  }

  async changes(query: z.output<typeof ChangesQuery>): Promise<ChangedRecords> {
    const since = toInstant(query.since ?? this.#start)
    const until = toInstant(query.until ?? this.#session.clock.now())
    if (since > until) throw queryError('until', 'must not be before since')
    const { moments } = this.#session.time
    await moments?.prepare(since)
    await moments?.prepare(until)
    const counts: ChangedRecords['counts'] = {}
    const all: TimedDifference[] = []
    for (const [table, found] of this.#findDifferences(since, until)) {
      counts[table] = found.length
      if (query.collection === undefined || query.collection === table) all.push(...found)
    }
    const page = all.slice(query.offset, query.offset + query.limit)
    const items: ChangedRecord[] = []
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that others run in between
    for (const one of page) items.push(await this.#describe(one, since, until))
    return { since, until, counts, items, totalCount: all.length }
  }

  async history(table: TableName, id: number): Promise<RecordHistory> {
    const { clock, data, time } = this.#session
    const { moments } = time
    const original = time.datasetAt(this.#start).tables[table].get(id)
    const versions: TimedDifference[] = []
    let row: Row<TableName> | undefined = original
    const place = { table, id, ...readCustomer(original ?? data.get(table, id)) }
    for (const next of moments ? await listTimedRows(moments, place, this.#start, clock.now()) : []) {
      const after = next.row ?? undefined
      if (after !== row) versions.push({ table, id, before: row, after, at: next.at })
      row = after
    }
    if (data.isChanged(table, id)) {
      const after = data.get(table, id)
      const at = this.#readTime(after, original)
      const earlier = versions.filter((version) => at === undefined || (version.at ?? '') <= at)
      const before = earlier.length > 0 ? earlier.at(-1)?.after : original
      versions.splice(earlier.length)
      if (before || after) versions.push({ table, id, before, after, at, bySession: true })
    }
    if (!original && versions.length === 0) {
      throw new SandboxError('not_found', `There is no ${nameRecord(table, id)}.`)
    }
    const items = versions.slice(-MAX_VERSIONS).map((version) => this.#toVersion(version))
    return { items, totalCount: versions.length }
  }

  async events(query: z.output<typeof EventsQuery>): Promise<Events> {
    const { clock, time } = this.#session
    const { moments } = time
    const from = toInstant(query.from ?? this.#start)
    const to = toInstant(query.to ?? addDuration(from, 'P30D') ?? from)
    if (from > to) throw queryError('to', 'must not be before from')
    if (Date.parse(to) - Date.parse(from) > MAX_RANGE_MS) {
      throw queryError('to', 'must be at most 400 days after from')
    }
    const now = clock.now()
    const next = moments && (await findNextChange(moments, now, addDuration(now, 'P31D') ?? now))
    const items = moments ? await countDays(moments, from, to) : []
    return { from, to, ...(next !== undefined && { next }), items, totalCount: items.length }
  }

  get #start(): string {
    return toInstant(this.#session.data.dataset.key.now)
  }

  #findDifferences(since: string, until: string): Map<TableName, TimedDifference[]> {
    const { time } = this.#session
    const before = time.datasetAt(since)
    const bySession = groupBy(this.#listOwn(before, since, until), ({ table }) => table)
    const byTime = findDifferences(before, time.datasetAt(until))
    const result = new Map<TableName, TimedDifference[]>()
    for (const table of tableNames) {
      const moved = (byTime.get(table) ?? []).filter((one) => this.#isVisible(table, one, until))
      const differences = [...moved.map((one) => ({ ...one, table })), ...(bySession.get(table) ?? [])]
      if (differences.length > 0) result.set(table, sortDifferences(table, differences))
    }
    return result
  }

  /** Reports whether the session shows a record as it came with time: not if it has changed it, or deleted its customer. */
  #isVisible(table: TableName, { id, before, after }: Difference, until: string): boolean {
    const { data } = this.#session
    if (data.isChanged(table, id)) return (this.#readTime(data.get(table, id), before) ?? '') > until
    const { customerId } = readCustomer(after ?? before)
    if (customerId === undefined || !data.isChanged('customers', customerId)) return true
    return data.get('customers', customerId) !== undefined
  }

  #listOwn(dataset: Dataset, since: string, until: string): TimedDifference[] {
    const isWhole = since <= this.#start
    return this.#session.data.changes().flatMap(({ table, id, row }) => {
      const [before, after] = [dataset.tables[table].get(id), row ?? undefined]
      const at = this.#readTime(after, before)
      const isInside = at === undefined ? isWhole : (isWhole || at > since) && at <= until
      if (!isInside || (!before && !after) || JSON.stringify(before) === JSON.stringify(row)) return []
      return [{ table, id, before, after, at, bySession: true }]
    })
  }

  #readTime(row: Row<TableName> | undefined, before: Row<TableName> | undefined): string | undefined {
    const at = row && readLastDate(row, before)
    return at !== undefined && at >= this.#start ? at : undefined
  }

  async #describe(difference: TimedDifference, since: string, until: string): Promise<ChangedRecord> {
    const { table, id, before, after, bySession } = difference
    const kind = getKind(difference)
    const at = bySession ? difference.at : await this.#findTime(difference, since, until)
    return {
      collection: table,
      id,
      name: getName(table, after ?? before),
      change: kind,
      ...(at !== undefined && { at }),
      ...(bySession && { bySession }),
      ...(kind === 'changed' && { fields: this.#compare(table, difference, false).map(({ name }) => name) }),
    }
  }

  async #findTime(
    { table, id, before, after }: TimedDifference,
    since: string,
    until: string,
  ): Promise<string | undefined> {
    const date = after && readLastDate(after, before)
    if (date !== undefined && date > since && date <= until) return date
    const { moments } = this.#session.time
    const place = { table, id, ...readCustomer(after ?? before) }
    return moments && (await listTimedRows(moments, place, since, until)).at(-1)?.at
  }

  #toVersion(version: TimedDifference): Version {
    const { table, at, bySession } = version
    const change = getKind(version)
    return {
      ...(at !== undefined && { at }),
      change,
      ...(bySession && { bySession }),
      fields: change === 'changed' ? this.#compare(table, version, true) : [],
    }
  }

  #compare(
    table: TableName,
    { before, after }: Pick<Difference, 'before' | 'after'>,
    withTexts: boolean,
  ): Version['fields'] {
    const [old, present] = [this.#present(table, before, withTexts), this.#present(table, after, withTexts)]
    return listChangedFields(old, present).map((name) => ({ name, before: old[name], after: present[name] }))
  }

  #present(table: TableName, row: Row<TableName> | undefined, withTexts: boolean): JsonObject {
    if (!row) return {}
    const { data, time } = this.#session
    const original = time.datasetAt(this.#start)
    const past = new PastData(data, (name, id) => original.tables[name].get(id), withTexts)
    return { ...this.#presentRow(table, row, past) }
  }
}

const queryError = (name: string, message: string): SandboxError =>
  invalidRequest([{ in: 'query', name, message }])

const readCustomer = (row: Row<TableName> | undefined): { readonly customerId?: number } =>
  row && 'customerId' in row ? { customerId: row.customerId } : {}

function getName(table: TableName, row: Row<TableName> | undefined): string {
  if (!row) return ''
  if ('firstName' in row) return `${row.firstName} ${row.lastName}`
  const texts: unknown[] = ['name', 'topic', 'summary', 'content', 'key'].map((name) =>
    Reflect.get(row, name),
  )
  const text = texts.find((value) => typeof value === 'string' && value !== '')
  return typeof text === 'string' ? text.slice(0, MAX_NAME) : nameRecord(table, row.id)
}
