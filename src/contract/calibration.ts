import * as z from 'zod'

import { lazyStrictObject } from '../core/lazy-schema.ts'
import { assumptionIds } from './assumptions.ts'
import { PartialSettings } from './settings.ts'
import { ShapesInput } from './shapes.ts'

const verdicts = ['confirmed', 'decided', 'undecided', 'otherwise', 'contradictory'] as const

export const Verdict = lazyStrictObject(() => ({
  /**
   * `confirmed`: only the default fits; `decided`: only another alternative fits; `undecided`: several fit;
   * `otherwise`: none fits; `contradictory`: two answers exclude each other.
   */
  verdict: z.enum(verdicts),
  /** The only alternative that fits; absent unless confirmed or decided, or if words were seen that no alternative has. */
  value: z.unknown().optional(),
  answers: z.int().nonnegative(),
  /** The number of records in them that exclude an alternative; 0 if the answers as a whole do. */
  records: z.int().nonnegative(),
  observed: z.string().optional(),
}))
export type Verdict = z.infer<typeof Verdict>

export const Finding = lazyStrictObject(() => ({
  operation: z.string(),
  /** The path of a field, like `items[].products[].owner`, or of a parameter, like `limit`. */
  path: z.string(),
  observed: z.string(),
  answers: z.int().nonnegative(),
}))
export type Finding = z.infer<typeof Finding>

/** The content of `workspace-sandbox.calibration.json`: the observations of a real tenant, without its values. */
export const Calibration = lazyStrictObject(() => ({
  $schema: z.string().optional(),
  assumptions: PartialSettings.optional(),
  shapes: ShapesInput.optional(),
  verdicts: z.partialRecord(z.enum(assumptionIds), Verdict).optional(),
  unmodelled: z.array(Finding).max(1_000).optional(),
}))
export type Calibration = z.infer<typeof Calibration>
