import * as z from 'zod'

import { templateWith, wordsLike } from './template-schema.ts'

const key = z.string().regex(/^[a-z][A-Za-z]*$/)
const range = z
  .array(z.number())
  .length(2)
  .refine(([min = 0, max = 0]) => min < max)
const metric = z.strictObject({
  key,
  name: templateWith(),
  number: range.optional(),
  percent: range.optional(),
  /** Order: worst first. */
  words: z.array(templateWith()).min(2).optional(),
  isLimitedByEmployees: z.boolean().optional(),
})
const product = z.strictObject({
  key,
  name: templateWith(),
  activity: templateWith(),
  users: templateWith(),
  purpose: templateWith().regex(/^to /),
  wishes: wordsLike(templateWith(), 2),
  troubles: wordsLike(templateWith(), 2),
  metrics: z.array(metric).min(1).max(9),
})

export const schema = z.strictObject({
  analytics: z.array(product).length(6),
  contracts: z.array(product).length(6),
})
