import * as z from 'zod'

import { templateWith } from './template-schema.ts'
import { listSlots } from './templates.ts'

export const logSlots = [
  ...(['automation', 'ms', 'quarter', 'due', 'customer', 'city', 'region', 'owner', 'score'] as const),
  ...(['product', 'renewal', 'days', 'signal', 'severity', 'category'] as const),
]

const always = new Set<string>(['automation', 'ms', 'quarter', 'due'])

const messages = z
  .array(templateWith(logSlots))
  .refine((list) => list.some((text) => listSlots(text).every((slot) => always.has(slot))), {
    message: 'has no message that fits a log without a customer',
  })
const byStatus = z.strictObject({ info: messages, failed: messages })

export const schema = z.strictObject({
  triggers: z.record(z.string(), byStatus),
  actions: z.record(z.string(), byStatus),
  afterFailure: messages,
  other: byStatus,
})
