import { addDuration } from '../../core/durations.ts'
import { invalidRequest, SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { type JsonObject, listChangedFields } from '../../core/json.ts'
import { mapInSlices, readInSlices } from '../../core/slices.ts'
import type { SandboxState } from '../../sessions/sandbox-state.ts'
import type { Session } from '../../sessions/session.ts'
import { differs, getKind, readLastDate } from '../../store/differences.ts'
import { type Row, type TableName, nameRecord } from '../../store/tables.ts'
import { PastData } from '../../store/tracking-data.ts'
import type { RecordWriter } from '../../testing/records/record-writer.ts'
import type { RecordHistory } from '../../testing/records/types.ts'
import { countDays, findNextChange, listTimedRows } from './events.ts'
import { Moments } from './moments.ts'
import { type Events, EventsQuery } from './timeline-types.ts'

interface RowVersion {
  readonly before: Row<TableName> | undefined
  readonly after: Row<TableName> | undefined
  readonly at?: string | undefined
  readonly bySession?: true
}

const MAX_VERSIONS = 250

const MAX_RANGE_MS = 400 * 86_400_000

/** Opens what time does with the data of a session. */
export async function openTimeline(state: SandboxState, session: Session): Promise<Timeline> {
  return new Timeline(session, await state.recordWriter(session))
}

const toInstant = (instant: string): string => new Date(instant).toISOString()

export class Timeline {
  readonly #session: Session
  readonly #writer: RecordWriter

  constructor(session: Session, writer: RecordWriter) {
    this.#session = session
    this.#writer = writer
  }

  get #moments(): Moments | undefined {
    const { moments } = this.#session.time
    return moments instanceof Moments ? moments : undefined
  }

  get #start(): string {
    return toInstant(this.#session.data.dataset.key.now)
  }

  /** Errors: not_found for a record that never was. */
  async history(table: TableName, id: number): Promise<RecordHistory> {
    const { clock, data, time } = this.#session
    const [original, known] = await readInSlices(() => {
      const first = time.datasetAt(this.#start).tables[table].get(id)
      return [first, first ?? data.get(table, id)] as const
    })
    const place = { table, id, ...(known && 'customerId' in known && { customerId: known.customerId }) }
    const moments = this.#moments
    const timed = moments ? await listTimedRows(moments, place, clock.now()) : []
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
      const previous = earlier.length > 0 ? earlier.at(-1)?.after : original
      versions.splice(earlier.length)
      if (differs({ before: previous, after }))
        versions.push({ before: previous, after, at, bySession: true })
    }
    if (!original && versions.length === 0) {
      throw new SandboxError('not_found', `There is no ${nameRecord(table, id)}.`)
    }
    const last = versions.slice(-MAX_VERSIONS)
    const items = await mapInSlices(last, (version) => this.#present(table, version))
    return { items, totalCount: versions.length }
  }

  #present(table: TableName, { before, after, at, bySession }: RowVersion): RecordHistory['items'][number] {
    const { data, time } = this.#session
    const original = time.datasetAt(this.#start)
    const past = new PastData(data, (name, id) => original.tables[name].get(id))
    const [old = {}, present = {}]: readonly (JsonObject | undefined)[] = [before, after].map(
      (row) => row && { ...this.#writer.present(table, row, past) },
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
    const { clock, data } = this.#session
    const moments = this.#moments
    const from = toInstant(query.from ?? this.#start)
    const to = toInstant(query.to ?? addDuration(from, 'P30D') ?? from)
    if (from > to) throw queryError('to', 'must not be before from')
    if (Date.parse(to) - Date.parse(from) > MAX_RANGE_MS) {
      throw queryError('to', 'must be at most 400 days after from')
    }
    const now = clock.now()
    const next = moments && (await findNextChange(moments, data, now, addDuration(now, 'P31D') ?? now))
    const items = moments ? await countDays(moments, data, from, to) : []
    return { from, to, ...(next !== undefined && { next }), items, totalCount: items.length }
  }
}

const queryError = (name: string, message: string): SandboxError =>
  invalidRequest([{ in: 'query', name, message }])
