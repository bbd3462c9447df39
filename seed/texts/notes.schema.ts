import * as z from 'zod'

import { lazyStrictObject } from '../../src/core/lazy-schema.ts'
import type { NoteFacts } from '../notes-and-briefs/notes.ts'
import { templateWith } from './template-schema.ts'

const slots = [
  ...(['customer', 'city', 'contact', 'contactFirst', 'title', 'other', 'otherFirst', 'colleague'] as const),
  ...(['product', 'users', 'purpose', 'activity', 'wish', 'trouble', 'price', 'renewal', 'total'] as const),
  ...(['percent', 'discount', 'uplift', 'score', 'count', 'weeks', 'weekday', 'month', 'lastMonth'] as const),
] as const satisfies readonly (keyof NoteFacts)[]

const texts = z.record(z.string(), z.array(templateWith(slots)).min(4))

export const schema = lazyStrictObject(() => ({
  customer: texts,
  onboarding: texts,
  prospect: texts,
  churned: texts,
  afterthoughts: z.array(templateWith(slots)).min(20),
}))
