import type { JsonObject } from '../../core/json.ts'
import { lowerBound } from '../../core/lower-bound.ts'
import { type TableName, nameRecord } from '../../store/tables.ts'
import { describeEarlyRetry } from './patterns.ts'
import { getEnd, getOffset, nameRequest, type Read } from './reads.ts'
import type { Reason } from './verdict.ts'
import type { Lists, Places } from './views.ts'
import type { PageWalk } from './walks.ts'

/** Why a record is not as it should be. */
export interface Finding {
  readonly reason: Reason
  readonly requests: readonly number[]
  readonly text: string
}

export const createFinding = (reason: Reason, reads: readonly Read[], text: string): Finding => ({
  reason,
  requests: reads.map(({ id }) => id),
  text,
})

/** A version of a record that a client should have seen. */
export interface DueVersion {
  readonly id: number
  /** Its content, as the service shows it. */
  readonly shown: JsonObject
  /** The index of the first state that has the version. */
  readonly since: number
  /** Reports whether a response has shown it as it was then. */
  readonly isShown: (read: Read) => boolean
  /** Reports whether a response has shown this version. */
  readonly isDelivered: (read: Read) => boolean
}

const covers = (read: Read, place: number): boolean => getOffset(read) <= place && place < getEnd(read)

/**
 * Explains why a walk has not shown a record, by what its pages held at their moments.
 * Shape: undefined if the walk does not cover the record, or only before it had that version.
 */
export function explainWalk(
  { table, answered, lost, reads }: PageWalk,
  { id, since, isShown }: DueVersion,
  lists: Lists,
): Finding | undefined {
  const find = (read: Read): number | undefined => lists.find(read).find(id)
  const isDue = (read: Read): boolean => read.state.index >= since
  if (!reads.some((read) => isDue(read) && find(read) !== undefined)) return undefined
  for (const read of answered) {
    const place = find(read)
    if (place !== undefined && isDue(read) && covers(read, place) && !isShown(read)) {
      return explainHidden(read)
    }
  }
  const failed = lost.findLast((read) => isDue(read) && covers(read, find(read) ?? -1))
  if (failed) return explainFailure(failed, reads)
  for (const [at, before] of answered.entries()) {
    const after = answered[at + 1]
    const [from, to] = [find(before), after && find(after)]
    if (!after || from === undefined || to === undefined || from < getEnd(before)) continue
    if (to >= getOffset(after)) continue
    return getOffset(after) > getEnd(before)
      ? explainGap(before, after)
      : explainDrift(table, before, after, id, lists)
  }
  const final = answered.at(-1)
  const last = lost.at(-1)
  if (!final) return last && explainFailure(last, reads)
  if ((find(final) ?? -1) < getEnd(final)) return undefined
  return last && getOffset(last) >= getEnd(final) ? explainFailure(last, reads) : explainTail(final)
}

function explainHidden(read: Read): Finding {
  const view = read.delivery.scenarios.find(({ did }) => did.startsWith('answered as of'))
  if (!view) {
    const text = `${nameRequest(read)}, has not shown it, although the service had it`
    return createFinding('unknown', [read], text)
  }
  const text = `it had changed before ${nameRequest(read)}, but the list did not show that yet (${view.name} ${view.did})`
  return createFinding('late_visible', [read], text)
}

/** @param reads those of the walk, among which a repetition may have come too early */
function explainFailure(read: Read, reads: readonly Read[]): Finding {
  const { status, faultId, isFaultResponse, identity, startedMs } = read.delivery
  const cause = faultId === undefined || !isFaultResponse ? `${status}` : `${status}, ${faultId}`
  const before = reads.findLast((one) => one.id < read.id && one.delivery.identity === identity)
  const early = before && describeEarlyRetry(before.delivery, startedMs)
  const sent = early === undefined ? ',' : `, was sent ${early}, so that it`
  const remedy = cause === '400' ? ': its body says what to correct' : ' and not repeated'
  const text = `${nameRequest(read)}${sent} was answered without records (${cause})${remedy}`
  return createFinding('fault_not_retried', before && early !== undefined ? [before, read] : [read], text)
}

/** Explains a request for a record by its path that has failed after another request; undefined if none has. */
export function explainRequest(reads: readonly Read[], since: number, after = 0): Finding | undefined {
  const failed = reads.findLast((read) => !read.isAnswered && read.state.index >= since && read.id > after)
  return failed && explainFailure(failed, reads)
}

/** Explains a record before the first page of a walk; no request is named, since that for its page may be forgotten. */
export function explainBegin({ answered }: PageWalk, version: DueVersion, lists: Lists): Finding | undefined {
  const [begin] = answered
  if (!begin || begin.state.index < version.since) return undefined
  const offset = getOffset(begin)
  if ((lists.find(begin).find(version.id) ?? Infinity) >= offset) return undefined
  const text = `the walk begins with ${nameRequest(begin)}, and no request of it asks for the rows before ${offset}`
  return createFinding('never_requested', [], text)
}

/** Explains a record that came into a list too late for a walk through it. */
export function explainEntry({ reads }: PageWalk, { id }: DueVersion, lists: Lists): Finding | undefined {
  const before = reads.findLast((read) => !lists.find(read, read.state.index, true).has(id))
  if (!before) return undefined
  const text = `it came into the list after ${nameRequest(before)}, and the list was not read again`
  return createFinding('never_requested', [before], text)
}

function explainGap(before: Read, after: Read): Finding {
  const [end, next] = [getEnd(before), getOffset(after)]
  const rows = next - end === 1 ? `the row at ${end}` : `the rows from ${end} to ${next - 1}`
  const text = `a page was skipped: ${nameRequest(before)}, ends at offset ${end}, and the next one, ${nameRequest(after)}, begins at ${next}; no request asks for ${rows}`
  return createFinding('never_requested', [before, after], text)
}

function explainDrift(table: TableName, before: Read, after: Read, id: number, lists: Lists): Finding {
  // If the later page was read first, a row is lost to those that have come since.
  const isBackward = after.state.index < before.state.index
  const [first, second] = isBackward ? [after, before] : [before, after]
  const others = listGoneBefore(lists.find(before), lists.find(after), id)
  const verb = isBackward ? 'came into' : others.length === 1 ? 'left' : 'have left'
  const [cause, moved] =
    others.length > 0
      ? [`${nameRows(table, others)} ${verb} the list`, 'what comes after']
      : ['the order of the list changed', 'rows']
  const text = `${cause} between ${nameRequest(first)}, and ${nameRequest(second)}, and ${moved} moved to a page that was already read`
  return createFinding('page_drift', [first, second], text)
}

function explainTail(final: Read): Finding {
  const of = final.total === undefined ? '' : ` of ${final.total}`
  const wrong = final.delivery.scenarios.find(({ name }) => name === 'wrong-total')
  const because = wrong ? ` (${wrong.name} ${wrong.did})` : ''
  const text = `the walk ended with ${nameRequest(final)}, which shows the list up to ${getEnd(final)}${of}${because}`
  return createFinding('unread_tail', [final], text)
}

/** Lists the records that left a list from before the place of another one. */
function listGoneBefore(before: Places, after: Places, id: number): readonly number[] {
  const gone = before.listWithout(after)
  const place = before.find(id) ?? 0
  const end = lowerBound(gone.length, (at) => (before.find(gone[at] ?? 0) ?? 0) >= place)
  return gone.slice(0, end)
}

const MAX_NAMES = 3

export function nameRows(table: TableName, ids: readonly number[]): string {
  const names = ids.slice(0, MAX_NAMES).map((id) => nameRecord(table, id))
  const rest = ids.length - names.length
  if (rest > 0) return `${names.join(', ')} and ${rest} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
