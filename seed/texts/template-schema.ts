import * as z from 'zod'

import { listSlots, splitWords } from './templates.ts'

/** Words in one row or in several, separated by commas. */
export const wordsLike = (word: z.ZodString, min: number): z.ZodType<string | string[]> =>
  z
    .union([z.string(), z.array(z.string())])
    .refine((rows) => z.array(word).min(min).safeParse(splitWords(rows)).success, `Expected ${min} words.`)

export function templateWith(slots: readonly string[] = []): z.ZodString {
  return z
    .string()
    .min(1)
    .refine((template) => listSlots(template).every((slot) => slots.includes(slot)), {
      error: ({ input }) =>
        `"${String(input)}" has an unknown slot. These are known: ${slots.join(', ') || 'none'}.`,
    })
    .refine((template) => !/[{}]/.test(template.replaceAll(/\{\{\w+\}\}/g, '')), {
      error: ({ input }) => `"${String(input)}" has a brace outside of a slot like {{customer}}.`,
    })
}
