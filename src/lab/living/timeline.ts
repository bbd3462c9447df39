import { addDuration } from '../../contract/instants.ts'
import { invalidRequest, SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { type JsonObject, listChangedFields } from '../../core/json.ts'
import type { Dataset } from '../../store/dataset.ts'
import { getKind, readLastDate } from '../../store/differences.ts'
import type { Data, SessionData } from '../../store/session-data.ts'
import { type Row, type TableName, nameRecord } from '../../store/tables.ts'
import { PastData } from '../../store/wrapped-data.ts'
import { countDays, findNextChange, listTimedRows } from './events.ts'
import type { Moments } from './moments.ts'
import { type Events, EventsQuery, type RecordHistory } from './timeline-types.ts'

export interface TimedSession {
  readonly data: SessionData
  readonly clock: { now(): string }
  readonly time: {
    readonly moments: Moments | undefined
    datasetAt(instant: string): Dataset
  }
}

type PresentRow = <T extends TableName>(table: T, row: Row<T>, data: Data) => object

interface RowVersion {
  readonly before: Row<TableName> | undefined
  readonly after: Row<TableName> | undefined
  readonly at?: string | undefined
  readonly bySession?: true
}

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

  get #start(): string {
    return toInstant(this.#session.data.dataset.key.now)
  }

  /** Errors: not_found for a record that never was. */
  async history(table: TableName, id: number): Promise<RecordHistory> {
    const { clock, data, time } = this.#session
    const original = time.datasetAt(this.#start).tables[table].get(id)
    const known = original ?? data.get(table, id)
    const place = { table, id, ...(known && 'customerId' in known && { customerId: known.customerId }) }
    const timed = time.moments ? await listTimedRows(time.moments, place, clock.now()) : []
    const versions: RowVersion[] = []
    let before: Row<TableName> | undefined = original
    for (const { at, row } of timed) {
      const after = row ?? undefined
      if (after !== before) versions.push({ before, after, at })
      before = after
    }
    if (data.isChanged(table, id)) {
      const after = data.get(table, id)
      const date = after && readLastDate(after, original)
      // The time of a change that the session has not dated is not known.
      const at = date !== undefined && date >= this.#start ? date : undefined
      const earlier = versions.filter((version) => at === undefined || (version.at ?? '') <= at)
      const last = earlier.length > 0 ? earlier.at(-1)?.after : original
      versions.splice(earlier.length)
      if (last || after) versions.push({ before: last, after, at, bySession: true })
    }
    if (!original && versions.length === 0) {
      throw new SandboxError('not_found', `There is no ${nameRecord(table, id)}.`)
    }
    const items = versions.slice(-MAX_VERSIONS).map((version) => this.#present(table, version))
    return { items, totalCount: versions.length }
  }

  #present(table: TableName, { before, after, at, bySession }: RowVersion): RecordHistory['items'][number] {
    const { data, time } = this.#session
    const original = time.datasetAt(this.#start)
    const past = new PastData(data, (name, id) => original.tables[name].get(id), true)
    const [old = {}, present = {}]: readonly (JsonObject | undefined)[] = [before, after].map(
      (row) => row && { ...this.#presentRow(table, row, past) },
    )
    const fields = before && after ? listChangedFields(old, present) : []
    return {
      ...(at !== undefined && { at }),
      change: getKind({ before, after }),
      ...(bySession && { bySession }),
      fields: fields.map((name) => ({ name, before: old[name], after: present[name] })),
    }
  }

  async events(input: unknown = {}): Promise<Events> {
    const query = parseInput(EventsQuery, input)
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
}

const queryError = (name: string, message: string): SandboxError =>
  invalidRequest([{ in: 'query', name, message }])
