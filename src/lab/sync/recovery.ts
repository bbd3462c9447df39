import { findOperations, isOfCustomer } from './collections.ts'
import { readUpdatedDate } from './compare.ts'
import type { Context } from './context.ts'
import type { Finding } from './losses.ts'
import type { Reasons } from './reasons.ts'
import type { Entry } from './verdict.ts'
import { findNewest, type PageWalk } from './walks.ts'

/** Predicts the run in which a wrong record becomes right, as the client has read so far. */
export function createPrediction(
  { past }: Context,
  reasons: Reasons,
): (id: number, finding: Finding) => Entry['heals'] {
  const { walks, versions } = reasons
  const { table } = versions
  const next = predictCursor(walks)
  const readsOn = walks.some(({ isComplete, answered }) => isComplete && answered.length > 1)
  return (id, { reason }) => {
    if (reason === 'never_requested' || reason === 'unknown') return 'never'
    if (reason === 'child_only_change') return 'full'
    if (reason === 'deleted_unseen') return reasons.chances.findFullWalk(id) ? 'never' : 'full'
    if (reason === 'unread_tail' && !readsOn) return 'never'
    if (!('updatedSince' in findOperations(table).list.query.shape))
      return isOfCustomer(table) ? 'full' : 'next'
    if (next === 'full') return 'next'
    const updatedDate = readUpdatedDate(versions.find(id, past.now.index).shown)
    return updatedDate !== undefined && Date.parse(updatedDate) >= next ? 'next' : 'full'
  }
}

const findBeginMs = (walk: PageWalk | undefined): number => Date.parse(walk?.first.state.at ?? '')

/**
 * Predicts the cursor of the next walk by those of the walks before: `full` if each walk reads everything.
 * Units: milliseconds since 1970.
 */
function predictCursor(walks: readonly PageWalk[]): number | 'full' {
  const incremental = walks.findLast(({ first }) => first.cursor !== undefined)
  // A walk that failed may have been begun again by the same run.
  const full = walks.filter(({ first, lost }) => first.isFull && lost.length === 0)
  if (!incremental && full.length > 1) return 'full'
  const pages = walks.flatMap(({ answered }) => answered)
  const findNewestMs = (before?: number): number => Date.parse(findNewest(pages, before)?.newestDate ?? '')
  const { first } = incremental ?? walks.at(-1) ?? {}
  const ofList = walks.filter(
    (walk) => walk.answered.length > 0 && walk.first.list.withoutCursor === first?.list.withoutCursor,
  )
  const next = [findNewestMs(), findBeginMs(ofList.at(-1))]
  if (!incremental || !first) {
    // It may derive its first cursor from either, so only what is after both is certain.
    const known = next.filter((ms) => !Number.isNaN(ms))
    return known.length === 0 ? Infinity : Math.max(...known)
  }
  const previous = ofList[ofList.indexOf(incremental) - 1]
  const cursorMs = Date.parse(first.cursor ?? '')
  // The client derives its cursor from the one that is nearest.
  const derived = [findNewestMs(first.id), findBeginMs(previous)].map((baseMs, at) => ({
    aheadMs: cursorMs - baseMs,
    baseMs: next[at] ?? NaN,
  }))
  const [nearest] = derived
    .filter(({ aheadMs, baseMs }) => !Number.isNaN(aheadMs) && !Number.isNaN(baseMs))
    .toSorted((a, b) => Math.abs(a.aheadMs) - Math.abs(b.aheadMs))
  return nearest ? nearest.baseMs + nearest.aheadMs : cursorMs
}
