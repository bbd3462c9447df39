import * as z from 'zod'

import { lazyStrictObject } from '../../src/core/lazy-schema.ts'

const name = z.string().min(1)
const place = lazyStrictObject(() => ({
  city: name,
  region: name,
  timezone: z.string().regex(/^[A-Z][a-z]+\/[A-Za-z_]+$/),
  offsetHours: z.number().min(-12).max(14),
}))

export const schema = lazyStrictObject(() => ({
  countries: z.array(
    z.strictObject({
      name,
      weight: z.int().positive(),
      legalForms: z.array(name).min(1),
      places: z.array(place).min(1),
    }),
  ),
}))
