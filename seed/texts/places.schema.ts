import * as z from 'zod'

const name = z.string().min(1)
const place = z.strictObject({
  city: name,
  region: name,
  timezone: z.string().regex(/^[A-Z][a-z]+\/[A-Za-z_]+$/),
  offsetHours: z.number().min(-12).max(14),
})

export const schema = z.strictObject({
  countries: z.array(
    z.strictObject({
      name,
      weight: z.int().positive(),
      legalForms: z.array(name).min(1),
      places: z.array(place).min(1),
    }),
  ),
})
