import * as z from 'zod'

import { recordId, utcDateTime } from '../contract/fields.ts'
import { PartialSettings } from '../contract/settings.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { ChangeList } from '../store/change.ts'
import { datasetOptions } from '../store/dataset-options.ts'
import { tableNames } from '../store/tables.ts'
import { SavedFaults } from './saved-faults.ts'
import { SavedScenarios } from './saved-scenarios.ts'
import { Tick } from './tick.ts'

export const FORMAT = 1

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a fingerprint of 64 hexadecimal digits')
const flag = z.boolean('must be true or false')
const future = z.enum(['still', 'living'], 'must be still or living')

/** A session as one JSON document: a further part of a session gets a field here and in the two functions below. */
export const SavedSession = lazyStrictObject(() => ({
  about: z.string().max(1_000).optional(),
  format: z.literal(FORMAT),
  version: z.string().max(100),
  dataset: z.strictObject({
    seed: datasetOptions.seed.unwrap(),
    size: z.int().min(3).max(100_000),
    fixture: z.string().min(1).max(1_000),
    fixtureContent: z.record(z.string(), z.unknown()).optional(),
    now: utcDateTime,
    clock: z.enum(['frozen', 'system'], 'must be frozen or system'),
    future: z.literal('living').optional(),
    fingerprint: hash,
  }),
  /** The session's time; without a move, a frozen clock stands at the dataset's `now`. */
  clock: z.strictObject({
    now: utcDateTime,
    isMoved: flag,
    tick: Tick.optional(),
    rate: z.number().positive().max(1_000_000).optional(),
  }),
  /** Whether the session's data changes with time, if it differs from the dataset. */
  future: future.optional(),
  fingerprint: hash.optional(),
  assumptions: PartialSettings,
  faults: SavedFaults,
  scenarios: SavedScenarios.optional(),
  /** The ids of the next new records, where they do not follow from the data. */
  nextIds: z.partialRecord(z.enum(tableNames), recordId),
  /** Order: by table, then by id. */
  changes: ChangeList,
}))

export type SavedSession = z.output<typeof SavedSession>
