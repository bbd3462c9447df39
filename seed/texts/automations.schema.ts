import * as z from 'zod'

import logs from './logs.json' with { type: 'json' }

const position = z.int().min(1).max(99)

export const schema = z.array(
  z.strictObject({
    /** The position among the organization's automations; a child's starts with its parent's. */
    position,
    name: z.string().min(5),
    triggers: z.array(z.enum(Object.keys(logs.triggers))).max(9),
    actions: z.array(z.enum(Object.keys(logs.actions))).max(9),
    deactivatedDays: z.int().positive().optional(),
  }),
)
