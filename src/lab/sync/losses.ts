import type { TableName } from '../../store/tables.ts'
import { type Context, createFinding, type Finding, nameRows } from './context.ts'
import type { State } from './history.ts'
import type { Places, Read } from './reads.ts'
import { getEnd, getOffset, type Pages } from './walks.ts'

export interface Sought {
  readonly id: number
  readonly since: Pick<State, 'index'>
  readonly isShown: (read: Read) => boolean
}

const covers = (read: Read, place: number): boolean => getOffset(read) <= place && place < getEnd(read)

/**
 * Explains why a walk has not shown a record, by what its pages held at their moments.
 * Shape: undefined if the walk does not cover the record, or only before it was as it is sought.
 */
export function explainWalk(
  { table, answered, lost, reads }: Pages,
  { id, since, isShown }: Sought,
  { lists }: Context,
): Finding | undefined {
  const find = (read: Read): number | undefined => lists.find(read).get(id)
  const isDue = (read: Read): boolean => read.state.index >= since.index
  if (!reads.some((read) => isDue(read) && find(read) !== undefined)) return undefined
  for (const read of answered) {
    const place = find(read)
    if (place === undefined || !isDue(read) || !covers(read, place) || isShown(read)) continue
    return explainHidden(read)
  }
  const failed = lost.find((read) => isDue(read) && covers(read, find(read) ?? -1))
  if (failed) return explainFailure(failed)
  for (const [at, before] of answered.entries()) {
    const after = answered[at + 1]
    const [from, to] = [find(before), after && find(after)]
    if (!after || from === undefined || to === undefined || from < getEnd(before)) continue
    if (getOffset(after) > getEnd(before) && to < getOffset(after)) return explainGap(before, after)
    if (to < getOffset(after)) return explainDrift(table, before, after, id, lists)
  }
  const final = answered.at(-1)
  const [last] = lost.slice(-1)
  if (!final && last) return explainFailure(last)
  const place = final && find(final)
  if (final && place !== undefined && place >= getEnd(final)) {
    return last && getOffset(last) >= getEnd(final) ? explainFailure(last) : explainTail(final)
  }
  return undefined
}

function explainHidden(read: Read): Finding {
  const { id, delivery } = read
  const view = delivery.scenarios.find(({ did }) => did.startsWith('answered as of'))
  return view
    ? createFinding(
        'late_visible',
        [read],
        `it had changed before request ${id}, but the list did not show that yet (${view.name} ${view.did})`,
      )
    : createFinding('unknown', [read], `request ${id} has not shown it, although the service had it`)
}

function explainFailure(read: Read): Finding {
  const { status, faultId } = read.delivery
  const cause = faultId === undefined ? `${status}` : `${status}, ${faultId}`
  const text = `request ${read.id} was answered without records (${cause}) and not repeated`
  return createFinding('fault_not_retried', [read], text)
}

function explainGap(before: Read, after: Read): Finding {
  const from = `request ${before.id} ends at offset ${getEnd(before)}`
  const to = `request ${after.id} begins at ${getOffset(after)}`
  return createFinding(
    'never_requested',
    [before, after],
    `${from}, and ${to}: nothing asks for what is between`,
  )
}

export function findGone(before: Places, after: Places, id: number): readonly number[] {
  const place = before.get(id) ?? 0
  return [...before].flatMap(([one, at]) => (at < place && !after.has(one) ? [one] : []))
}

function explainDrift(
  table: TableName,
  before: Read,
  after: Read,
  id: number,
  lists: Context['lists'],
): Finding {
  const gone = findGone(lists.find(before), lists.find(after), id)
  const verb = gone.length === 1 ? 'left' : 'have left'
  const left = gone.length > 0 ? `${nameRows(table, gone)} ${verb} the list` : 'the order of the list changed'
  const text = `between requests ${before.id} and ${after.id}, ${left}, and what comes after moved to a page that was already read`
  return createFinding('page_drift', [before, after], text)
}

function explainTail(final: Read): Finding {
  const of = final.total === undefined ? '' : ` of ${final.total}`
  const text = `the walk ended with request ${final.id}, which shows the list up to ${getEnd(final)}${of}`
  return createFinding('unread_tail', [final], text)
}
