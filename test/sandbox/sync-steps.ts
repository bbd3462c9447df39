import * as fc from 'fast-check'

import type { ScenarioInput } from '../../src/index.ts'

/** The collections of the copy: meetings are listed for each customer. */
export const tables = ['customers', 'signals', 'meetings'] as const
export type Table = (typeof tables)[number]

/** Creates one of several steps with the same fields. */
const step = <const D extends string, T>(
  kinds: readonly D[],
  fields: { [K in keyof T]: fc.Arbitrary<T[K]> },
) => fc.tuple(fc.constantFrom(...kinds), fc.record(fields)).map(([kind, rest]) => ({ do: kind, ...rest }))

const anyTable = fc.constantFrom<Table>('customers', 'customers', 'signals', 'meetings')
/** The place of a row among the first of its collection. */
const anyRow = { table: anyTable, at: fc.nat(11) }
const anyScenario = fc.constantFrom<ScenarioInput>(
  { name: 'page-drift' },
  { name: 'late-visibility', seconds: 30 },
  { name: 'change-while-reading' },
  { name: 'silent-change' },
  { name: 'deleted' },
)
const anyCursor = fc.constantFrom(
  ...(['none', 'none', 'greatest', 'now', 'past greatest', 'overlap'] as const),
)
const anyPage = {
  table: anyTable,
  onError: fc.constantFrom(...(['repeat', 'skip', 'end'] as const)),
  keeps: fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0),
}

/** The events that meet a client that reads customers. */
export const anyEvent = fc.oneof(
  step(['advance'], { by: fc.constantFrom('PT5S', 'PT1M', 'P2D') }),
  step(['patch', 'delete', 'silent'], { table: fc.constant<Table>('customers'), at: fc.nat(11) }),
  step(['create'], {}),
  step(['scenario'], { scenario: anyScenario }),
  step(['fault'], { table: fc.constant<Table>('customers'), after: fc.nat(3) }),
)

/** Any step of a client, or of what happens to it. */
export const anyStep = fc.oneof(
  { weight: 3, arbitrary: step(['advance'], { by: fc.constantFrom('PT5S', 'PT1M', 'P2D') }) },
  { weight: 6, arbitrary: step(['patch', 'delete', 'undo', 'silent'], anyRow) },
  { weight: 1, arbitrary: step(['create'], {}) },
  { weight: 1, arbitrary: step(['rename'], { memberId: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: step(['scenario'], { scenario: anyScenario }) },
  { weight: 2, arbitrary: step(['fault'], { table: anyTable, after: fc.nat(3) }) },
  { weight: 2, arbitrary: step(['calm'], {}) },
  { weight: 5, arbitrary: step(['begin'], { cursor: anyCursor }) },
  { weight: 3, arbitrary: step(['begin signals'], {}) },
  { weight: 3, arbitrary: step(['begin meetings'], { of: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 24, arbitrary: step(['page'], anyPage) },
  { weight: 2, arbitrary: step(['single'], { id: fc.integer({ min: 1, max: 12 }), keeps: fc.boolean() }) },
  { weight: 1, arbitrary: step(['forget', 'reconcile'], anyRow) },
)

export type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never
