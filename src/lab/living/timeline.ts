import * as z from 'zod'

import { utcDateTime } from '../../contract/fields.ts'
import { addDuration } from '../../core/durations.ts'
import { invalidField, SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { listChangedFields } from '../../core/json.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { mapInSlices, readInSlices } from '../../core/slices.ts'
import type { Session } from '../../sessions/session.ts'
import { type TableName, nameRecord } from '../../store/tables.ts'
import { differs, getKind, readLastDate } from '../../testing/records/differences.ts'
import { readId } from '../../testing/records/find-records.ts'
import { presentRecord } from '../../testing/records/forms/forms.ts'
import { EventsQuery, RecordCounts, type RecordHistory } from '../../testing/records/types.ts'
import { PastData } from '../../testing/tracking-data.ts'
import { countDays, findNextChange, listTimedVersions } from './events.ts'
import { Moments } from './moments.ts'

export const Events = lazyObject(() => ({
  from: utcDateTime,
  to: utcDateTime,
  /** The first instant after the session's now at which a record changes, if it is within 31 days. */
  next: utcDateTime.optional(),
  /** Order: by day. Days without changes are left out. */
  items: z.array(z.object({ day: z.iso.date(), counts: RecordCounts })),
  totalCount: z.int(),
}))
export type Events = z.infer<typeof Events>

const MAX_VERSIONS = 250

const MAX_RANGE_MS = 400 * 86_400_000

const toInstant = (instant: string): string => new Date(instant).toISOString()

const getStart = ({ data }: Session): string => toInstant(data.dataset.key.now)

const getMoments = ({ clock: { moments } }: Session): Moments | undefined =>
  moments instanceof Moments ? moments : undefined

/** Lists the changes of a record since the dataset. Errors: not_found for a record that never was. */
export async function readHistory(
  session: Session,
  table: TableName,
  input: unknown,
): Promise<RecordHistory> {
  const id = readId(input)
  const { clock, contract, data } = session
  const start = getStart(session)
  const [original, known] = await readInSlices(() => {
    const first = clock.datasetAt(start).tables[table].get(id)
    return [first, first ?? data.get(table, id)] as const
  })
  const place = { table, id, ...(known && 'customerId' in known && { customerId: known.customerId }) }
  const moments = getMoments(session)
  const versions = moments ? await listTimedVersions(moments, place, original, clock.now()) : []
  if (data.isChanged(table, id)) {
    const after = data.get(table, id)
    const date = after && readLastDate(after, original)
    // The time of a change that the session has not dated is not known.
    const at = date !== undefined && date >= start ? date : undefined
    const earlier = versions.filter((version) => at === undefined || (version.at ?? '') <= at)
    const previous = earlier.length > 0 ? earlier.at(-1)?.after : original
    versions.splice(earlier.length)
    if (differs({ before: previous, after })) versions.push({ before: previous, after, at, bySession: true })
  }
  if (!original && versions.length === 0) {
    throw new SandboxError('not_found', `There is no ${nameRecord(table, id)}.`)
  }
  const items = await mapInSlices(versions.slice(-MAX_VERSIONS), (version) => {
    const past = new PastData(data, (name, one) => clock.datasetAt(start).tables[name].get(one))
    const [old = {}, present = {}] = [version.before, version.after].map(
      (row) => row && presentRecord(table, row, past, contract),
    )
    const fields = version.before && version.after ? listChangedFields(old, present) : []
    return {
      ...(version.at !== undefined && { at: version.at }),
      change: getKind(version),
      ...(version.bySession && { bySession: version.bySession }),
      fields: fields.map((name) => ({ name, before: old[name], after: present[name] })),
    }
  })
  return { items, totalCount: versions.length }
}

/** Counts the records of a session that change on each day. Errors: invalid_request. */
export async function countEvents(session: Session, input: unknown = {}): Promise<Events> {
  const query = parseInput(EventsQuery, input)
  const { clock, data } = session
  const moments = getMoments(session)
  const from = toInstant(query.from ?? getStart(session))
  const to = toInstant(query.to ?? addDuration(from, 'P30D') ?? from)
  if (from > to) throw invalidField('to', 'must not be before from', 'query')
  if (Date.parse(to) - Date.parse(from) > MAX_RANGE_MS) {
    throw invalidField('to', 'must be at most 400 days after from', 'query')
  }
  const now = clock.now()
  const next = moments && (await findNextChange(moments, data, now, addDuration(now, 'P31D') ?? now))
  const items = moments ? await countDays(moments, data, from, to) : []
  return { from, to, ...(next !== undefined && { next }), items, totalCount: items.length }
}
