import { listDifferences } from '../../contract/settings.ts'
import { listChangedFields, parseJson, readShown, type Shown } from '../../core/json.ts'
import { asSentence, capitalize, pluralize, uncapitalize } from '../../core/words.ts'
import type { Session } from '../../sessions/session.ts'
import type { PastCommit } from '../../store/history.ts'
import { nameRecord } from '../../store/tables.ts'
import type { RecordedRequest, ScenarioAct } from '../../testing/journal/recorded-request.ts'
import { maskTokens, readErrorText, readResponseBody } from '../../testing/journal/view.ts'
import { describeAct } from './explain-run.ts'
import type { ExplainedCause, ExplainedResponse, Explanation } from './schemas.ts'

interface RecordedRun {
  readonly entry: RecordedRequest
  readonly session: Session
  readonly id: number | undefined
  /** The commits since the request; undefined if they are no longer all known. */
  readonly commits: readonly PastCommit[] | undefined
  /** The response to the request on the data of its moment, without faults and scenarios. */
  readonly past: ExplainedResponse | undefined
  readonly now: ExplainedResponse
}

export function explainRecorded(run: RecordedRun): Explanation {
  const { entry, id, past, now } = run
  const status = entry.status === 'pending' ? 'aborted' : entry.status
  const shown = readShown(parseJson(readResponseBody(entry) ?? 'null'))
  const included = id === undefined ? undefined : wasIncluded(run, shown, id)
  const matched = entry.response?.page?.total ?? past?.total
  const recorded = { status, included, total: shown.total ?? matched }
  const acted = findActs(run, recorded)
  const isReplaced = entry.isFaultResponse || (acted.length > 0 && past?.status !== status)
  const certain = isReplaced ? undefined : past
  const { total } = certain ? recorded : {}
  const { conditions = [] } = certain ?? {}
  // A list of other records has the record at another place.
  const place = certain?.total === matched ? certain?.place : undefined
  const since = past && !isSame(past, now) ? findChangesSince(run) : []
  const ofRequest = acted.filter(({ requestId }) => requestId === entry.id)
  const causes = ofRequest.map(({ kind, text }) => ({
    name: kind,
    ...(isReplaced && { holds: false }),
    text,
  }))
  const isExplained =
    certain !== undefined && acted.length === 0 && isAlike(certain, recorded) && !entry.endpoint?.body
  const sentences = [
    isExplained ? certain.summary : describeOutcome({ ...run, past: place && certain }, recorded, acted),
    ...(past ? [] : ['The data of that moment can no longer be rebuilt.']),
    ...since.map(({ text }) => `Since then: ${text}`),
    // The response to a request with a body depends on the body, which is not sent again.
    ...(entry.endpoint?.body
      ? []
      : [
          isSame({ status, included, total }, now)
            ? 'The response would be the same now.'
            : `Now: ${now.summary}`,
        ]),
  ]
  return {
    requestId: entry.id,
    request: `${entry.method} ${maskTokens(entry.target)}`,
    status,
    ...(included !== undefined && { included }),
    summary: sentences.join(' '),
    conditions: [...causes, ...conditions],
    ...(place && { place }),
    ...(total !== undefined && { total }),
    warnings: entry.warnings.map(({ message }) => message),
    isRebuilt: past !== undefined,
    causes: [...acted, ...since],
    now,
  }
}

type Outcome = Pick<Explanation, 'status' | 'included' | 'total'>

function isSame(one: Outcome, other: Outcome): boolean {
  const hasSameRecords = one.included !== undefined || one.total === other.total
  return one.status === other.status && one.included === other.included && hasSameRecords
}

/** Reports whether the rebuilt response shows as many records as the recorded one, too. */
const isAlike = (past: Outcome, recorded: Outcome): boolean =>
  isSame(past, recorded) && past.total === recorded.total

/** Reports whether the recorded response has a record; without its body, whether the rebuilt one has, unless they differ. */
function wasIncluded({ entry, past }: RecordedRun, { records }: Shown, id: number): boolean | undefined {
  if (typeof entry.status !== 'number' || entry.status >= 300) return false
  if (entry.hasBodies && entry.method !== 'HEAD') return records.some((record) => record['id'] === id)
  const total = entry.response?.page?.total ?? past?.total
  return entry.isFaultResponse || total !== past?.total ? undefined : past?.included
}

/** Says how a request ended that the service alone would have answered otherwise, or whose data is not known any more. */
function describeOutcome(
  { entry, id, past }: RecordedRun,
  { included }: Outcome,
  acted: readonly ExplainedCause[],
): string {
  const { id: requestId, status, endpoint } = entry
  const isRecord = id !== undefined && included !== undefined && endpoint && Number(status) < 300
  const ending = typeof status === 'number' ? `was answered with ${status}` : 'ended without a response'
  const outcome = isRecord
    ? `${capitalize(nameRecord(endpoint.resource.table, id))} was ${included ? '' : 'not '}in the response to request ${requestId}`
    : `Request ${requestId} ${ending}`
  const error = acted.length === 0 && Number(status) >= 400 ? readErrorText(entry) : undefined
  const isElsewhere = past && !past.included && !included
  const reasons = [...acted.map(({ text }) => text), error, isElsewhere ? past.summary : '']
  const reason = reasons.filter(Boolean).join(' ')
  return asSentence(reason === '' ? outcome : `${outcome}: ${uncapitalize(reason)}`)
}

/** Finds what made the response another than the service alone would have given. */
function findActs({ entry, session, past }: RecordedRun, recorded: Outcome): ExplainedCause[] {
  const { id: requestId, moment, scenarios, status, faultId, isFaultResponse, response } = entry
  const before = scenarios.filter(({ revision }) => !moment || revision <= moment.revision)
  const acts = past && isAlike(past, recorded) ? [] : before.map((act) => toCause(act, requestId))
  if (isFaultResponse && faultId !== undefined && !before.some(({ id }) => id === faultId)) {
    const name = faultId === 'prefer' ? 'The Prefer header of the request' : 'A fault'
    const effect = typeof status === 'number' ? 'replaced the response' : 'broke the response'
    acts.push({ kind: 'fault', id: faultId, requestId, text: `${name} ${effect} (${status}).` })
  }
  if (past?.place === undefined || recorded.included !== false || !response?.page) return acts
  // The record has moved to another page, perhaps because a scenario has changed records between two pages.
  const walk = session.requests.entries().filter((one) => one.id < requestId && toList(one) === toList(entry))
  const moves = walk.flatMap(({ id, moment: at, scenarios: played }) =>
    played.filter(({ revision }) => at && revision > at.revision).map((act) => toCause(act, id)),
  )
  return [...moves, ...acts]
}

/** Returns the URL without `offset` and `limit`, which is equal for the pages of a list. */
const toList = ({ target }: RecordedRequest): string => target.replace(PAGING, '').replace(/[?&]$/, '')

const PAGING = /(?<=[?&])(?:offset|limit)=\d*&?/g

function toCause(act: ScenarioAct, requestId: number): ExplainedCause {
  return { kind: 'scenario', id: act.id, requestId, text: `${describeAct(act)} at request ${requestId}.` }
}

const MAX_CHANGES = 5

/** Lists what has changed since the request: the record, or else the records like it and customers; settings; the time. */
function findChangesSince({ entry, session, id, commits = [] }: RecordedRun): ExplainedCause[] {
  const { moment, settings, endpoint } = entry
  const table = endpoint?.resource.table
  const entries = session.requests.entries()
  const acts = new Map(
    entries.flatMap((one) => one.scenarios.map((act) => [act.revision, toCause(act, one.id)])),
  )
  const written = commits.flatMap(({ rows, revision }) =>
    rows.map((row) => ({ ...row, act: acts.get(revision) })),
  )
  const related = written.filter((row) => row.table === table || row.table === 'customers')
  const ofRecord = related.filter((row) => row.table === table && row.id === id)
  const changed = new Map<string, (typeof written)[number]>()
  for (const row of ofRecord.length > 0 ? ofRecord : related) {
    const name = nameRecord(row.table, row.id)
    changed.set(name, { ...row, before: (changed.get(name) ?? row).before })
  }
  const causes = new Map<string, ExplainedCause>()
  for (const [name, { before, after, act }] of changed) {
    const fields = before && after ? listChangedFields(before, after) : []
    if (fields.length === 0 && Boolean(before) === Boolean(after)) continue
    const fact = !before ? 'was added' : after ? `has changed (${fields.join(', ')})` : 'was deleted'
    const cause = act ?? { kind: 'change', text: `${capitalize(name)} ${fact}.` }
    causes.set(cause.text, cause)
  }
  const changes = [...causes.values()]
  const rest = changes.splice(MAX_CHANGES).length
  if (rest > 0) changes.push({ kind: 'change', text: `${pluralize(rest, 'other change')} followed.` })
  const others = listDifferences(settings, session.settings)
  if (others.length > 0)
    changes.push({ kind: 'assumption', text: `Assumptions have changed: ${others.join(', ')}.` })
  const [at, time] = [moment?.at, session.clock.now()]
  if (time !== at) changes.push({ kind: 'time', text: `The clock has moved from ${at} to ${time}.` })
  return changes
}
