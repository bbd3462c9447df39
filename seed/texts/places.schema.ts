import * as z from 'zod'

import texts from './places.json' with { type: 'json' }

const name = z.string().min(1)
const place = z.strictObject({
  city: name,
  region: name,
  timezone: z.enum(Object.keys(texts.timezones)),
})

export const schema = z.strictObject({
  timezones: z.record(
    z.string().regex(/^[A-Z][a-z]+\/[A-Za-z_]+$/),
    z.strictObject({
      offsetHours: z.number().min(-12).max(14),
      /** From March to November, from March to October, or from October to April. */
      summerTime: z.enum(['american', 'european', 'australian']).optional(),
    }),
  ),
  countries: z.array(
    z.strictObject({
      name,
      weight: z.int().positive(),
      legalForms: z.array(name).min(1),
      places: z.array(place).min(1),
    }),
  ),
})
