import * as z from 'zod'

import { addDuration } from '../contract/instants.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { endpoints } from '../resources/index.ts'

/** An instant from which every duration that makes sense for a tick leads to another one. */
const SOME_TIME = '2000-01-01T00:00:00.000Z'

const operationIds = endpoints.map(({ id }) => id)

export const Tick = lazyStrictObject(() => ({
  by: z
    .string()
    .refine(
      (by) => (addDuration(SOME_TIME, by) ?? SOME_TIME) > SOME_TIME,
      'must be an ISO 8601 duration like PT3M, longer than nothing',
    ),
  /** The operation whose requests move it; by default every request does. */
  on: z.enum(operationIds, 'must be the name of an operation').optional(),
}))
export type Tick = z.infer<typeof Tick>
