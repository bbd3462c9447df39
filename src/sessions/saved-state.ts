import * as z from 'zod'

import { utcDateTime, zeroOrMore } from '../contract/fields.ts'
import { PartialSettings } from '../contract/settings.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { stopwatch } from '../core/system-clock.ts'
import { ChangeList } from '../store/change.ts'
import { datasetKey, FutureMode } from '../store/dataset-key.ts'
import type { StatesSnapshot } from '../testing/active-states.ts'
import { FaultInput, type FaultSettings, MAX_FAULTS } from '../testing/faults/fault.ts'
import { type ActiveFault, createState, type FaultsSnapshot } from '../testing/faults/faults.ts'
import { ScenarioMemory } from '../testing/scenarios/options.ts'
import { createScenario, MAX_SCENARIOS, ScenarioInput } from '../testing/scenarios/scenario.ts'
import type { ScenariosSnapshot } from '../testing/scenarios/scenarios.ts'
import { Tick } from './clock.ts'

function checkIds(
  { count, items }: { readonly count: number; readonly items: readonly { readonly id: string }[] },
  context: z.RefinementCtx,
): void {
  const ids = new Set<string>()
  for (const [index, { id }] of items.entries()) {
    const path = ['items', index, 'id']
    const noun = id.slice(0, id.indexOf('-'))
    if (ids.has(id)) context.addIssue({ code: 'custom', path, message: `is the id of two ${noun}s` })
    if (Number(id.slice(noun.length + 1)) > count)
      context.addIssue({ code: 'custom', path, message: `must not be greater than the count of ${noun}s` })
    ids.add(id)
  }
}

const SavedCounts = lazyStrictObject(() => ({
  matched: zeroOrMore,
  injected: zeroOrMore,
  step: zeroOrMore,
  /** The open window of a rate limit: its start by the session's clock, and the real time since then. */
  window: z
    .strictObject({ start: utcDateTime, elapsedMs: z.number().nonnegative(), used: zeroOrMore })
    .optional(),
}))
type SavedCounts = z.output<typeof SavedCounts>

/** Declares the saved faults or scenarios of a session. */
const declareSaved = <T extends z.ZodRawShape>(noun: 'fault' | 'scenario', most: number, fields: () => T) =>
  lazyStrictObject(() => {
    const id = z.string().regex(new RegExp(`^${noun}-[1-9]\\d{0,14}$`), `must be an id like ${noun}-1`)
    const item = z.strictObject({ id, ...fields() })
    return { count: zeroOrMore, items: z.array(item).max(most, `must have at most ${most} ${noun}s`) }
  })

export const SavedFaults = declareSaved('fault', MAX_FAULTS, () => ({
  fault: FaultInput,
  ...SavedCounts.shape,
})).superRefine(checkIds)
export type SavedFaults = z.output<typeof SavedFaults>

function saveStates<S, I>(snapshot: StatesSnapshot<S>, save: (state: S) => I): { count: number; items: I[] } {
  const { count, states } = snapshot ?? { count: 0, states: [] }
  return { count, items: states.map(save) }
}

export const saveFaults = (snapshot: FaultsSnapshot): SavedFaults =>
  saveStates(snapshot, (state) => ({
    id: state.id,
    fault: structuredClone(state.settings),
    ...saveCounts(state),
  }))

function saveCounts({ matched, injected, step, window }: ActiveFault): SavedCounts {
  if (!window) return { matched, injected, step }
  const start = new Date(window.start.clockMs).toISOString()
  const elapsedMs = Math.max(0, Math.round(stopwatch() - window.start.realMs))
  return { matched, injected, step, window: { start, elapsedMs, used: window.used } }
}

export const loadFaults = ({ count, items }: SavedFaults): FaultsSnapshot => ({
  states: items.map(({ id, fault, ...counts }) => loadFault(id, fault, counts)),
  count,
})

function loadFault(
  id: string,
  settings: FaultSettings,
  { matched, injected, step, window }: SavedCounts,
): ActiveFault {
  const opened = window && {
    start: { clockMs: Date.parse(window.start), realMs: stopwatch() - window.elapsedMs },
    used: window.used,
  }
  return { ...createState(id, settings), matched, injected, step, window: opened }
}

export const SavedScenarios = declareSaved('scenario', MAX_SCENARIOS, () => ({
  scenario: ScenarioInput,
  matched: zeroOrMore,
  acted: zeroOrMore,
  memory: ScenarioMemory,
  fault: SavedCounts.optional(),
})).superRefine(checkIds)
export type SavedScenarios = z.output<typeof SavedScenarios>

export const saveScenarios = (snapshot: ScenariosSnapshot): SavedScenarios =>
  saveStates(snapshot, ({ id, name, options, matched, acted, memory, fault }) =>
    structuredClone({
      id,
      scenario: { name, ...options },
      matched,
      acted,
      memory,
      ...(fault && { fault: saveCounts(fault) }),
    }),
  )

export const loadScenarios = ({ count, items }: SavedScenarios): ScenariosSnapshot => ({
  states: items.map(({ id, scenario, fault: counts, ...progress }) => {
    const state = createScenario(id, scenario, 0)
    const fault = state.fault && counts ? loadFault(id, state.fault.settings, counts) : state.fault
    return { ...state, ...progress, fault }
  }),
  count,
})

export const FORMAT = 1

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a fingerprint of 64 hexadecimal digits')
const flag = z.boolean('must be true or false')

/** A session as one JSON document: a further part of a session gets a field here and in the two functions below. */
export const SavedSession = lazyStrictObject(() => ({
  about: z.string().max(1_000).optional(),
  format: z.literal(FORMAT),
  version: z.string().max(100),
  dataset: z.strictObject({
    ...datasetKey,
    fingerprint: hash,
  }),
  clock: z.strictObject({
    now: utcDateTime,
    isMoved: flag,
    tick: Tick.optional(),
    rate: z.number().positive().max(1_000_000).optional(),
  }),
  /** Whether the session's data changes with time, if it differs from the dataset. */
  future: FutureMode.optional(),
  fingerprint: hash.optional(),
  assumptions: PartialSettings,
  faults: SavedFaults,
  scenarios: SavedScenarios.optional(),
  /** Written by earlier versions; the ids of new records follow from the changes. */
  nextIds: z.unknown().optional(),
  /** Order: by table, then by id. */
  changes: ChangeList,
}))

export type SavedSession = z.output<typeof SavedSession>
