import * as z from 'zod'

import { categories, dismissalReasons, outcomes, subCategories, types } from '../signals/signal-lookups.ts'
import { templateWith } from './template-schema.ts'

/** The people, things and figures of one signal, which all of its texts share: the slots of its templates. */
export const factNames = [
  'customer',
  'product',
  /** The countable results of using the product. */
  'activity',
  'users',
  'purpose',
  'wish',
  'trouble',
  'money',
  'day',
  'contact',
  'title',
  'other',
  /** Somebody who has left the customer, or will. */
  'leaver',
  'owner',
  'competitor',
  'percent',
  'discount',
  /** A low score out of ten. */
  'rating',
  /** A number from two to nine, in words. */
  'weeks',
  'high',
  'low',
  'seats',
  'active',
  'extra',
  /** A past month. */
  'month',
  /** A future month. */
  'coming',
  /** A month before the renewal, or the month of the renewal. */
  'soon',
  /** The day of the renewal, and the number of days until then. */
  'renewal',
  'days',
  /** The number of days since an invoice was due. */
  'overdue',
  /** The number of weeks since the contract ended, in words, as the start of a sentence. */
  'gone',
] as const

const template = templateWith(factNames)
const severity = z.int().min(1).max(5)

const keyOf = <T extends string>(entries: Readonly<Record<T, unknown>>): z.ZodType<T> =>
  z.custom<T>((value) => typeof value === 'string' && Object.hasOwn(entries, value), {
    error: ({ input }) => `"${String(input)}" is not one of ${Object.keys(entries).join(', ')}.`,
  })

const story = z.strictObject({
  kind: z.strictObject({
    category: keyOf(categories),
    type: keyOf(types),
    subCategory: keyOf(subCategories),
    /**
     * The product: in use, being rolled out, just rolled out, soon to renew, soon to end, given up lately, or not bought
     * yet.
     */
    about: z.enum(['used', 'onboarding', 'launched', 'renewing', 'ending', 'left', 'other']),
  }),
  when: z.strictObject({
    stages: z.array(z.enum(['prospect', 'onboarding', 'growing', 'steady', 'atRisk', 'churned'])).min(1),
    levels: z.array(z.enum(['low', 'medium', 'high'])).optional(),
    /** The minimum of days that the product has been in use, or has been given up. */
    minDays: z.int().positive().optional(),
    minEmployees: z.int().positive().optional(),
  }),
  sources: z.array(z.enum(['usage', 'meeting', 'survey', 'support', 'crm', 'manual'])).min(1),
  severity: z.array(severity).length(2),
  namesCompetitor: z.literal(true).optional(),
  summaries: z.array(template).min(5),
  explanations: z.array(template).min(4),
  notes: z.array(template).min(4),
  opportunity: z.array(template).min(1).optional(),
  endings: z.array(template.refine((ending) => Object.hasOwn(outcomes, ending.split(': ')[0] ?? ''))).min(2),
})

export const schema = z.strictObject({
  stories: z.array(story).min(40),
  /** Sentences that follow texts without names. */
  additions: z.strictObject({
    explanations: z.array(template).min(5),
    notes: z.array(template).min(5),
    outcomes: z.array(template).min(5),
    /** The same for a signal about another customer. */
    misplaced: z.array(templateWith(['owner', 'day'])).min(5),
  }),
  repetitions: z.array(templateWith(['summary', 'day'])).min(4),
  contradictions: z.array(z.tuple([template, template])),
  dismissals: z.record(z.enum(dismissalReasons.map(({ name }) => name)), z.array(template).min(4)),
})

export type Story = z.infer<typeof story>
