import * as z from 'zod'

import { templateWith } from './template-schema.ts'

export const briefSlots = [
  ...(['customer', 'city', 'country', 'segment', 'employees', 'product', 'weak'] as const),
]

const text = templateWith(briefSlots)
const texts = z.array(text).min(1)
const byStage = z.strictObject({
  prospect: texts,
  onboarding: texts,
  growing: texts,
  steady: texts,
  atRisk: texts,
  churned: texts,
})

export const schema = z.strictObject({
  introductions: z.strictObject({ prospect: text, churned: text, customer: text }),
  standings: byStage.extend({ signed: texts }),
  obstacles: z.strictObject({ none: texts, lowUse: texts, churned: texts }),
  advice: byStage,
  questions: z.strictObject({ any: texts, prospect: texts, customer: texts, atRisk: texts, churned: texts }),
  noMeetings: z.strictObject({ past: texts, summary: texts }),
})
