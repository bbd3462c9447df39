import * as z from 'zod'

import { templateWith } from './template-schema.ts'
import { listSlots } from './templates.ts'

const facts = [
  ...(['customer', 'product', 'users', 'purpose', 'wish', 'trouble', 'contact', 'other', 'host'] as const),
  ...(['system', 'percent', 'discount', 'count', 'testers', 'active', 'hours', 'weeks', 'day'] as const),
  ...(['month', 'quarter', 'lastQuarter', 'session'] as const),
]

const speakers = ['host', 'guest', 'other'] as const

const template = templateWith(facts)
const line = templateWith([...facts, ...speakers]).regex(/^[HGO]: /)
const talk = z.array(line).min(1)

function isCovered(text: string, lines: readonly string[]): boolean {
  const allowed = new Set<string>([...listSlots(text), ...speakers])
  const needsOther = lines.some((said) => said.startsWith('O: ') || said.includes('{{other}}'))
  return (
    lines.every((said) => listSlots(said).every((slot) => allowed.has(slot))) &&
    (!needsOther || text.includes('{{other}}'))
  )
}

const uncovered = 'The lines have slots or speakers that the text does not have.'

const kind = z.strictObject({
  topics: z.array(template).min(2),
  accounts: z
    .record(template, talk)
    .refine((accounts) => Object.keys(accounts).length >= 5)
    .refine((accounts) => Object.entries(accounts).every(([text, said]) => isCovered(text, said)), uncovered),
  /** Next steps, each with the exchanges in which people agree on it. */
  steps: z
    .record(template.regex(/^\{\{(?:host|contact|other)\}\}: /), z.array(talk).min(1))
    .refine((steps) => Object.keys(steps).length >= 4)
    .refine(
      (steps) => Object.entries(steps).every(([text, said]) => isCovered(text, said.flat())),
      uncovered,
    ),
})

export const schema = z.strictObject({
  kinds: z.record(z.string().regex(/^[a-z][A-Za-z]+$/), kind),
  closings: z.array(template).min(8),
  /** Parts of texts that cannot be in the same meeting. */
  contradictions: z.array(z.tuple([template, template])),
})
