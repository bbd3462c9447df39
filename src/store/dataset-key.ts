import * as z from 'zod'

import { anyNames, between, instant, MAX_INTEGER, MAX_SIZE, withinDatasetTimes } from '../contract/fields.ts'
import { isShallow, MAX_DEPTH, nestedTooDeep } from '../core/json.ts'

export const FutureMode = z.enum(['still', 'living'], 'must be still or living')
export type FutureMode = z.output<typeof FutureMode>

export const datasetKey = {
  seed: between(0, MAX_INTEGER),
  size: between(3, MAX_SIZE),
  fixture: z.string().min(1).max(1_000),
  fixtureContent: anyNames(
    z.record(z.string(), z.unknown()).refine((content) => isShallow(content, MAX_DEPTH), nestedTooDeep),
  ).optional(),
  now: withinDatasetTimes(instant),
  /** Whether the clock is frozen at `now` or runs with the machine's time. */
  clock: z.enum(['frozen', 'system'], 'must be frozen or system'),
  future: z.literal('living').optional(),
}

/** The inputs of a dataset, which is a pure function of them and the package version. */
export type DatasetKey = Readonly<z.output<z.ZodObject<typeof datasetKey>>>
