import * as z from 'zod'

import { utcDateTime } from '../contract/fields.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { stopwatch } from '../core/system-clock.ts'
import type { ActiveFault } from '../faults/decide.ts'
import { FaultInput, type FaultSettings, MAX_FAULTS } from '../faults/fault.ts'
import { createState, type FaultsSnapshot } from '../faults/faults.ts'

export const savedCount = z.int('must be a whole number').nonnegative('must be at least 0')

interface SavedItems {
  readonly count: number
  readonly items: readonly { readonly id: string }[]
}

export function checkIds({ count, items }: SavedItems, context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [index, { id }] of items.entries()) {
    const path = ['items', index, 'id']
    const noun = id.slice(0, id.indexOf('-'))
    if (seen.has(id)) context.addIssue({ code: 'custom', path, message: `is the id of two ${noun}s` })
    if (Number(id.slice(noun.length + 1)) > count)
      context.addIssue({ code: 'custom', path, message: `must not be greater than the count of ${noun}s` })
    seen.add(id)
  }
}

export const SavedCounts = lazyStrictObject(() => ({
  matched: savedCount,
  injected: savedCount,
  step: savedCount,
  /** The open window of a rate limit: its start by the session's clock, and the real time since then. */
  window: z
    .strictObject({ start: utcDateTime, elapsedMs: z.number().nonnegative(), used: savedCount })
    .optional(),
}))
export type SavedCounts = z.output<typeof SavedCounts>

/** The faults of a session with their counts, as a file holds them. Order: the first that acts on a request wins. */
export const SavedFaults = lazyStrictObject(() => ({
  count: savedCount,
  items: z
    .array(
      z.strictObject({
        id: z.string().regex(/^fault-[1-9]\d{0,14}$/, 'must be an id like fault-1'),
        fault: FaultInput,
        ...SavedCounts.shape,
      }),
    )
    .max(MAX_FAULTS, `must have at most ${MAX_FAULTS} faults`),
})).superRefine(checkIds)
export type SavedFaults = z.output<typeof SavedFaults>

export function saveFaults(snapshot: FaultsSnapshot): SavedFaults {
  const items = (snapshot?.states ?? []).map((state) => ({
    id: state.id,
    fault: structuredClone(state.settings),
    ...saveCounts(state),
  }))
  return { count: snapshot?.count ?? 0, items }
}

export function saveCounts({ matched, injected, step, window }: ActiveFault): SavedCounts {
  if (!window) return { matched, injected, step }
  const start = new Date(window.start.clockMs).toISOString()
  const elapsedMs = Math.max(0, Math.round(stopwatch() - window.start.realMs))
  return { matched, injected, step, window: { start, elapsedMs, used: window.used } }
}

export function loadFaults({ count: total, items }: SavedFaults): FaultsSnapshot {
  const states = items.map(({ id, fault, ...counts }) => loadFault(id, fault, counts))
  return { states, count: total }
}

export function loadFault(
  id: string,
  settings: FaultSettings,
  { matched, injected, step, window }: SavedCounts,
): ActiveFault {
  const start = window && {
    clockMs: Date.parse(window.start),
    realMs: stopwatch() - window.elapsedMs,
  }
  const opened = start && { start, used: window.used }
  return { ...createState(id, settings), matched, injected, step, window: opened }
}
