import * as z from 'zod'

import { utcDateTime } from '../contract/fields.ts'

/** The rows of a collection at an instant. */
export const Truth = z.object({
  now: utcDateTime.describe('The instant'),
  items: z.array(z.record(z.string(), z.unknown())),
})
export type Truth = z.infer<typeof Truth>
