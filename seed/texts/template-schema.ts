import * as z from 'zod'

import { listSlots } from './templates.ts'

/** Creates a schema for templates that have no other slots than the given ones. */
export function templateWith(slots: readonly string[]): z.ZodString {
  const known = new Set(slots)
  return z
    .string()
    .min(5)
    .refine((text) => listSlots(text).every((slot) => known.has(slot)), 'has an unknown slot')
    .refine((text) => !/\{\{(?!\w+\}\})|(?<!\{\{\w+)\}\}/.test(text), 'has a slot that is not closed')
}
