import * as fc from 'fast-check'

import type { ScenarioInput } from '../../src/index.ts'
import type { Table } from './sync-world.ts'

/** A step of a client, or of what happens to it. */
export type Step =
  | { readonly do: 'advance'; readonly by: string }
  | { readonly do: 'patch' | 'delete' | 'undo' | 'silent'; readonly table: Table; readonly at: number }
  | { readonly do: 'create' }
  | { readonly do: 'rename'; readonly memberId: number }
  | { readonly do: 'scenario'; readonly scenario: ScenarioInput }
  | { readonly do: 'fault'; readonly table: Table; readonly after: number }
  | { readonly do: 'calm' }
  | { readonly do: 'begin'; readonly cursor: 'none' | 'greatest' | 'now' | 'past greatest' | 'overlap' }
  | { readonly do: 'begin signals' }
  | { readonly do: 'begin meetings'; readonly of: number }
  | {
      readonly do: 'page'
      readonly table: Table
      readonly onError: 'repeat' | 'skip' | 'end'
      readonly keeps: boolean
    }
  | { readonly do: 'single'; readonly id: number; readonly keeps: boolean }
  | { readonly do: 'forget' | 'reconcile'; readonly table: Table; readonly at: number }

const anyId = fc.integer({ min: 1, max: 12 })
const anyTable = fc.constantFrom<Table>('customers', 'customers', 'signals', 'meetings')
/** The place of a row among the first of its collection. */
const anyPlace = fc.nat(11)
/** Any step. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.constantFrom('PT5S', 'PT1M', 'P2D') }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('patch' as const, 'delete' as const, 'undo' as const, 'silent' as const),
      table: anyTable,
      at: anyPlace,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'create' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rename' as const), memberId: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom<ScenarioInput>(
        { name: 'page-drift' },
        { name: 'late-visibility', seconds: 30 },
        { name: 'change-while-reading' },
        { name: 'silent-change' },
        { name: 'deleted' },
      )
      .map((scenario) => ({ do: 'scenario' as const, scenario })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      table: anyTable,
      after: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'calm' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('begin' as const),
      cursor: fc.constantFrom(
        'none' as const,
        'none' as const,
        'greatest' as const,
        'now' as const,
        'past greatest' as const,
        'overlap' as const,
      ),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'begin signals' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('begin meetings' as const), of: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant('page' as const),
      table: anyTable,
      onError: fc.constantFrom('repeat' as const, 'skip' as const, 'end' as const),
      keeps: fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('single' as const), id: anyId, keeps: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('forget' as const, 'reconcile' as const),
      table: anyTable,
      at: anyPlace,
    }),
  },
)
