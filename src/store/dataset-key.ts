import * as z from 'zod'

import { anyNames, instant, MAX_INTEGER, MAX_SIZE, withinDatasetTimes } from '../contract/fields.ts'
import { isShallow, MAX_DEPTH, nestedTooDeep } from '../core/json.ts'

const wholeSeed = `must be a whole number from 0 to ${MAX_INTEGER}`
const wholeSize = `must be a whole number from 3 to ${MAX_SIZE}`

export const FutureMode = z.enum(['still', 'living'], 'must be still or living')
export type FutureMode = z.output<typeof FutureMode>

export const datasetKey = {
  seed: z.int(wholeSeed).nonnegative(wholeSeed).max(MAX_INTEGER, wholeSeed),
  size: z.int(wholeSize).min(3, wholeSize).max(MAX_SIZE, wholeSize),
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
