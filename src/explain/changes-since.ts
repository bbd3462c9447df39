import type { Moment, ScenarioAct } from '../journal/entry.ts'
import type { PastChange } from '../journal/past.ts'
import type { Session } from '../sessions/session.ts'
import type { TableName } from '../store/tables.ts'
import type { Reader } from '../store/texts.ts'
import { asRecord } from './conditions.ts'
import type { ExplainedCause } from './explain.ts'
import { capitalize, describeAct, nameRecord } from './names.ts'

const MAX_CHANGES = 5

interface Comparison {
  readonly session: Session
  readonly seen: Moment
  readonly table: TableName
  readonly id: number | undefined
  readonly before: Reader
  readonly after: Reader
}

/** Lists the changes of a session since a moment; undefined if some are no longer kept. Order: as they were made. */
export const listChanges = (
  { requests, data }: Session,
  { revision }: Moment,
): readonly PastChange[] | undefined => requests.past.listBetween(revision, data.revision)

/** Finds the changes of records since a moment: of the one in question, or else of those around it. Order: as first made. */
export function findRecordChanges(comparison: Comparison): ExplainedCause[] {
  const { session, seen, table, id, before, after } = comparison
  const acts = new Map(
    session.requests
      .entries()
      .flatMap(({ id: requestId, scenarios }) =>
        scenarios.map((act) => [act.revision, { ...act, requestId }] as const),
      ),
  )
  const changed = new Map<string, { readonly table: TableName; readonly id: number; revision: number }>()
  for (const { revision, reversals } of listChanges(session, seen) ?? []) {
    for (const one of reversals) changed.set(`${one.table}/${one.id}`, { ...one, revision })
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

export function toCause(act: ScenarioAct, requestId: number): ExplainedCause {
  return { kind: 'scenario', id: act.id, requestId, text: `${describeAct(act)} at request ${requestId}.` }
}

function compare(before: object | undefined, after: object | undefined): string | undefined {
  if (!before) return after && 'was added'
  if (!after) return 'was deleted'
  const [old, present] = [asRecord(before), asRecord(after)]
  const fields = Object.keys({ ...old, ...present }).filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(present[name]),
  )
  return fields.length === 0 ? undefined : `has changed (${fields.join(', ')})`
}
