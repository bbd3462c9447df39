import { listDifferences } from '../contract/settings.ts'
import { isObject, listChangedFields, listShown, parseJson } from '../core/json.ts'
import { asSentence, capitalize } from '../core/words.ts'
import type { Entry, Interruption, ScenarioAct } from '../journal/entry.ts'
import { maskTokens, readErrorText, readResponseBody } from '../journal/view.ts'
import type { Session } from '../sessions/session.ts'
import type { Moment } from '../store/history.ts'
import type { DataSnapshot } from '../store/session-data.ts'
import { type TableName, nameRecord } from '../store/tables.ts'
import type { Reader } from '../store/texts.ts'
import { describeAct } from './conditions.ts'
import type { ExplainedCause, ExplainedResponse, Explanation } from './explain.ts'

export interface Answer {
  readonly explanation: ExplainedResponse
  readonly stored: Reader
}

interface RecordedRun {
  readonly entry: Entry
  readonly session: Session
  readonly id: number | undefined
  readonly past: Answer | undefined
  readonly present: Answer
}

export function rebuildData({ data }: Session, { revision }: Moment): DataSnapshot | undefined {
  const commits = data.history.listBetween(revision, data.revision)
  return commits && data.undo(commits)
}

export function explainRecorded(run: RecordedRun): Explanation {
  const { entry, id, past, present } = run
  const then = past?.explanation
  const now = present.explanation
  const { place, total, conditions = [] } = then ?? {}
  const included = id === undefined ? undefined : wasIncluded(entry, id, then)
  const recorded = { status: toStatus(entry), included, total }
  const acted = findActs(run, included)
  const isReplaced = entry.isFaultResponse || (acted.length > 0 && then?.status !== entry.status)
  const hasChanged = !then || !isSame(then, now)
  const since = past && hasChanged ? findChangesSince(run, past) : []
  const actCauses = acted
    .filter(({ requestId }) => requestId === entry.id)
    .map(({ kind, text }) => ({ name: kind, ...(isReplaced && { holds: false }), text }))
  const certain = isReplaced ? undefined : then
  return {
    requestId: entry.id,
    request: `${entry.method} ${maskTokens(entry.target)}`,
    status: recorded.status,
    ...(included !== undefined && { included }),
    summary: [
      describeRecorded(run, included),
      ...acted.map(({ text }) => text),
      explainThen(certain, included),
      then ? '' : 'The data of that moment can no longer be rebuilt.',
      ...since.map(({ text }) => `Since then: ${text}`),
      isSame({ ...recorded, total: certain?.total }, now)
        ? 'The response would be the same now.'
        : `Now: ${now.summary}`,
    ]
      .filter(Boolean)
      .join(' '),
    conditions: isReplaced ? actCauses : [...actCauses, ...conditions],
    ...(certain && place && { place }),
    ...(certain && total !== undefined && { total }),
    warnings: entry.warnings.map(({ message }) => message),
    isRebuilt: then !== undefined,
    causes: [...acted, ...since],
    now,
  }
}

const toStatus = ({ status }: Entry): number | Interruption => (status === 'pending' ? 'aborted' : status)

type Compared = Pick<Explanation, 'status' | 'included' | 'total'>

function isSame(one: Compared, other: Compared): boolean {
  const hasSameRecords = one.included === undefined ? one.total === other.total : true
  return one.status === other.status && one.included === other.included && hasSameRecords
}

/** Reports whether the recorded response has a record; if its body was evicted, whether the rebuilt one has. */
function wasIncluded(entry: Entry, id: number, then: ExplainedResponse | undefined): boolean | undefined {
  if (typeof entry.status !== 'number' || entry.status >= 300) return false
  if (!entry.hasBodies || entry.method === 'HEAD') return then?.included
  return listShown(parseJson(readResponseBody(entry) ?? 'null')).some(
    (record) => isObject(record) && record['id'] === id,
  )
}

function findActs({ entry, session, past }: RecordedRun, included: boolean | undefined): ExplainedCause[] {
  const then = past?.explanation
  const { seen, scenarios, faultId } = entry
  const before = scenarios.filter(({ revision }) => !seen || revision <= seen.revision)
  const isExpected = then?.status === entry.status && then.included === included
  const acts = isExpected ? [] : before.map((act) => toCause(act, entry.id))
  const isFault = entry.isFaultResponse && !before.some(({ id }) => id === faultId)
  const fault = isFault && faultId !== undefined ? [describeFault(entry, faultId)] : []
  // A record may have moved to another page, because a scenario has changed records between two pages.
  const isMoved = then?.place !== undefined && included === false
  return [...(isMoved ? findActsInWalk(entry, session) : []), ...acts, ...fault]
}

function findActsInWalk({ id, response }: Entry, { requests }: Session): ExplainedCause[] {
  const list = response?.page?.list
  if (list === undefined) return []
  const walk = requests.entries().filter((one) => one.id < id && one.response?.page?.list === list)
  return walk.flatMap((one) => {
    const after = one.scenarios.filter(({ revision }) => one.seen && revision > one.seen.revision)
    return after.map((act) => toCause(act, one.id))
  })
}

function describeFault({ id: requestId, status }: Entry, id: string): ExplainedCause {
  const name = id === 'prefer' ? 'The Prefer header of the request' : 'A fault'
  const effect =
    typeof status === 'number' ? `replaced the response (${status})` : `broke the response (${status})`
  return { kind: 'fault', id, requestId, text: `${name} ${effect}.` }
}

function findChangesSince({ entry, session, id, present }: RecordedRun, past: Answer): ExplainedCause[] {
  const { seen, settings, endpoint } = entry
  if (!seen) return []
  const table = endpoint?.resource.table
  const changes = table
    ? findRecordChanges({ session, seen, table, id, before: past.stored, after: present.stored })
    : []
  const others = listDifferences(settings, session.settings)
  const time = session.clock.now()
  return [
    ...changes,
    ...(others.length > 0
      ? [{ kind: 'assumption' as const, text: `The assumptions ${others.join(', ')} have changed.` }]
      : []),
    ...(time !== seen.at
      ? [{ kind: 'time' as const, text: `The clock has moved from ${seen.at} to ${time}.` }]
      : []),
  ]
}

function describeRecorded({ entry, id, past }: RecordedRun, included: boolean | undefined): string {
  const status = toStatus(entry)
  const outcome =
    typeof status === 'number' ? `was answered with ${status}` : `ended without a response (${status})`
  const record =
    included === undefined || !entry.endpoint ? '' : nameRecord(entry.endpoint.resource.table, id ?? 0)
  const fact = record && `, and ${record} was ${included ? '' : 'not '}in the response`
  const isUnexplained = typeof status === 'number' && status >= 400 && past?.explanation.status !== status
  const detail = isUnexplained && !entry.isFaultResponse ? readErrorText(entry) : undefined
  return `Request ${entry.id} ${outcome}${fact}.${detail ? ` It said: ${asSentence(detail)}` : ''}`
}

function explainThen(then: ExplainedResponse | undefined, included: boolean | undefined): string {
  if (!then || included === true) return ''
  if (included === undefined) return then.total === undefined ? '' : `${then.total} records matched.`
  if (then.place) return then.summary
  return then.conditions.flatMap(({ holds, text }) => (holds === false ? text : [])).join(' ')
}

const MAX_CHANGES = 5

interface Comparison {
  readonly session: Session
  readonly seen: Moment
  readonly table: TableName
  readonly id: number | undefined
  readonly before: Reader
  readonly after: Reader
}

function findRecordChanges(comparison: Comparison): ExplainedCause[] {
  const { session, seen, table, id, before, after } = comparison
  const acts = new Map(
    session.requests
      .entries()
      .flatMap(({ id: requestId, scenarios }) =>
        scenarios.map((act) => [act.revision, { ...act, requestId }] as const),
      ),
  )
  const changed = new Map<string, { readonly table: TableName; readonly id: number; revision: number }>()
  const { data } = session
  for (const { revision, rows } of data.history.listBetween(seen.revision, data.revision) ?? []) {
    for (const one of rows) changed.set(`${one.table}/${one.id}`, { ...one, revision })
  }
  const all = [...changed.values()].filter((one) => one.table === table || one.table === 'customers')
  const changes = all.filter((one) => one.table === table && one.id === id)
  const causes = new Map<string, ExplainedCause>()
  for (const one of changes.length > 0 ? changes : all) {
    const fact = compare(before.get(one.table, one.id), after.get(one.table, one.id))
    if (fact === undefined) continue
    const act = acts.get(one.revision)
    const cause: ExplainedCause = act
      ? toCause(act, act.requestId)
      : { kind: 'change', text: `${capitalize(nameRecord(one.table, one.id))} ${fact}.` }
    causes.set(cause.text, cause)
  }
  const shown = [...causes.values()].slice(0, MAX_CHANGES)
  const rest = causes.size - shown.length
  return rest > 0 ? [...shown, { kind: 'change', text: `${rest} more records have changed.` }] : shown
}

function toCause(act: ScenarioAct, requestId: number): ExplainedCause {
  return { kind: 'scenario', id: act.id, requestId, text: `${describeAct(act)} at request ${requestId}.` }
}

function compare(before: object | undefined, after: object | undefined): string | undefined {
  if (!before) return after && 'was added'
  if (!after) return 'was deleted'
  const fields = listChangedFields({ ...before }, { ...after })
  return fields.length === 0 ? undefined : `has changed (${fields.join(', ')})`
}
