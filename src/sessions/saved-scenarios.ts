import * as z from 'zod'

import { utcDateTime } from '../contract/fields.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { createScenario } from '../scenarios/active-scenario.ts'
import { MAX_SCENARIOS, ScenarioInput } from '../scenarios/scenario.ts'
import type { ScenariosSnapshot } from '../scenarios/scenarios.ts'
import { ChangeList } from '../store/change.ts'
import { checkIds, loadFault, saveCounts, savedCount, SavedCounts } from './saved-faults.ts'

/** The records that a scenario is going to restore; without a row, as the dataset has them. */
const Removed = ChangeList.superRefine((changes, context) => {
  for (const [index, { id, row }] of changes.entries()) {
    if (!row || row.id === id) continue
    const message = `must be ${id}, the id of the change (got ${row.id})`
    context.addIssue({ code: 'custom', path: [index, 'row', 'id'], message })
  }
})

/** The facts that a scenario remembers; changes that lists do not show yet are left out. */
const Memory = lazyStrictObject(() => ({
  memberId: savedCount.optional(),
  ids: z.array(savedCount).readonly().optional(),
  startedAt: utcDateTime.optional(),
  greatest: utcDateTime.optional(),
  removed: Removed.readonly().optional(),
  changes: savedCount.optional(),
  tokens: z
    .record(
      z.string().regex(/^\d{1,16}$/),
      z.strictObject({ renewals: savedCount, used: savedCount, sinceMs: z.number() }),
    )
    .optional(),
}))

/** The scenarios of a session with their counts, as a file holds them. Order: as added. */
export const SavedScenarios = lazyStrictObject(() => ({
  count: savedCount,
  items: z
    .array(
      z.strictObject({
        id: z.string().regex(/^scenario-[1-9]\d{0,14}$/, 'must be an id like scenario-1'),
        scenario: ScenarioInput,
        matched: savedCount,
        acted: savedCount,
        memory: Memory,
        fault: SavedCounts.optional(),
      }),
    )
    .max(MAX_SCENARIOS, `must have at most ${MAX_SCENARIOS} scenarios`),
})).superRefine(checkIds)
export type SavedScenarios = z.output<typeof SavedScenarios>

export function saveScenarios(snapshot: ScenariosSnapshot): SavedScenarios {
  const items = (snapshot?.states ?? []).map(({ id, name, options, matched, acted, memory, fault }) => {
    const scenario = { name, ...options }
    return structuredClone({
      id,
      scenario,
      matched,
      acted,
      memory,
      ...(fault && { fault: saveCounts(fault) }),
    })
  })
  return { count: snapshot?.count ?? 0, items }
}

export function loadScenarios({ count: total, items }: SavedScenarios): ScenariosSnapshot {
  const states = items.map(({ id, scenario, matched, acted, memory, fault: counts }) => {
    const state = createScenario(id, scenario)
    const fault = state.fault && counts ? loadFault(id, state.fault.settings, counts) : state.fault
    return { ...state, matched, acted, memory, fault }
  })
  return total === 0 ? undefined : { states, count: total }
}
