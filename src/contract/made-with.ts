import * as z from 'zod'

import { MAX_INTEGER, utcDateTime } from './fields.ts'

/** The options that a whole dataset was made with: they hold again where nobody gives others. */
export const MadeWith = z
  .strictObject({
    seed: z.int().nonnegative().max(MAX_INTEGER),
    size: z.int().min(3).max(100_000),
    now: utcDateTime,
  })
  .partial()
