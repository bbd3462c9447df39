import * as z from 'zod'

import { templateWith } from './template-schema.ts'

export const noteSlots = [
  ...(['customer', 'city', 'contact', 'contactFirst', 'title', 'other', 'otherFirst', 'colleague'] as const),
  ...(['product', 'users', 'purpose', 'activity', 'wish', 'trouble', 'price', 'renewal', 'total'] as const),
  ...(['percent', 'discount', 'uplift', 'score', 'count', 'weeks', 'weekday', 'month', 'lastMonth'] as const),
]

const texts = z.record(z.string(), z.array(templateWith(noteSlots)).min(4))

export const schema = z.strictObject({
  customer: texts,
  onboarding: texts,
  prospect: texts,
  churned: texts,
  afterthoughts: z.array(templateWith(noteSlots)).min(20),
})
