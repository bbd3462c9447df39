import * as z from 'zod'

import { templateWith } from './template-schema.ts'

const goals = z.array(templateWith())

export const schema = z.strictObject({
  titles: z
    .array(z.strictObject({ title: templateWith(), min: z.int().optional(), max: z.int().optional() }))
    .min(20),
  goals: goals.min(5),
  goalsByFamily: z.strictObject({ analytics: goals.min(10), contracts: goals.min(10) }),
  goalsByIndustry: z.record(z.string(), goals.min(2)),
})
