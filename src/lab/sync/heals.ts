import { hasCursor, isOfCustomer } from './collections.ts'
import type { Context, Finding } from './context.ts'
import { findGreatest } from './reasons.ts'
import type { Entry } from './verdict.ts'
import { readUpdatedDate, type Versions } from './versions.ts'
import type { Pages, Run } from './walks.ts'

export function createHealings(
  { walks: all, history }: Context,
  versions: Versions,
  runs: readonly Run[],
): (id: number, finding: Finding) => Entry['heals'] {
  const { table } = versions
  const walks = all.filter((walk) => walk.table === table)
  const next = predictCursor(walks, runs)
  const readsOn = walks.some(({ isComplete, answered }) => isComplete && answered.length > 1)
  const isDeletionShown = (id: number, requests: readonly number[]): boolean =>
    walks.some(
      ({ isFull, isComplete, first, answered }) =>
        isFull &&
        isComplete &&
        requests.includes(first.id) &&
        answered.every(({ rows }) => rows?.has(id) === false),
    )
  return (id, { reason, requests }) => {
    if (reason === 'never_requested' || reason === 'unknown') return 'never'
    if (reason === 'child_only_change') return 'full'
    if (reason === 'deleted_unseen') return isDeletionShown(id, requests) ? 'never' : 'full'
    if (reason === 'unread_tail' && !readsOn) return 'never'
    if (!hasCursor(table)) return isOfCustomer(table) ? 'full' : 'next'
    if (next === 'full') return 'next'
    const updatedDate = readUpdatedDate(versions.find(id, history.now)?.shown)
    return updatedDate !== undefined && Date.parse(updatedDate) >= next ? 'next' : 'full'
  }
}

const getBegin = (run: Run | undefined): number => Date.parse(run?.first.state.at ?? '')

/**
 * Predicts the cursor of the next run by those of the runs before: `full` if each run reads everything.
 * Units: milliseconds since 1970.
 */
function predictCursor(walks: readonly Pages[], runs: readonly Run[]): number | 'full' {
  const incremental = walks.findLast(({ first }) => first.cursor !== undefined)
  if (!incremental && walks.filter(({ isFull }) => isFull).length > 1) return 'full'
  const last = runs.at(-1)
  const greatest = (before: number): number => {
    const shown = walks.flatMap(({ answered }) => answered).filter(({ id }) => id < before)
    return Date.parse(findGreatest(shown)?.updatedDate ?? '')
  }
  const next = [greatest(Infinity), getBegin(last)]
  if (!incremental?.first.cursor) return Math.min(...next.filter((ms) => !Number.isNaN(ms)))
  const { first } = incremental
  const previous = runs.findLast((run) => run.first.id < first.id && !run.walks.includes(incremental))
  const cursorMs = Date.parse(first.cursor ?? '')
  // The client derives its cursor from the one that is nearest.
  const derived = [greatest(first.id), getBegin(previous)].map((baseMs, at) => ({
    aheadMs: cursorMs - baseMs,
    baseMs: next[at] ?? NaN,
  }))
  const [nearest] = derived
    .filter(({ aheadMs, baseMs }) => !Number.isNaN(aheadMs) && !Number.isNaN(baseMs))
    .toSorted((a, b) => Math.abs(a.aheadMs) - Math.abs(b.aheadMs))
  return nearest ? nearest.baseMs + nearest.aheadMs : cursorMs
}
