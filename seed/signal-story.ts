import type { Facts } from './signal-facts.ts'
import type { categories, outcomes, subCategories, types } from './signal-lookups.ts'
import type { Stage } from './stages.ts'

/** Writes a sentence from the facts. */
export type Told = (facts: Facts) => string

/** A kind of signal: everything that its texts, its severity and its lookups must agree on. */
export interface Story {
  readonly category: keyof typeof categories
  readonly type: keyof typeof types
  readonly subCategory: keyof typeof subCategories
  readonly stages: readonly Stage[]
  /** The product that it is about: one that the customer has, an `other` one, or `any`. */
  readonly about: 'used' | 'onboarding' | 'renewing' | 'churned' | 'other' | 'any'
  readonly sources: readonly ('usage' | 'meeting' | 'survey' | 'support' | 'crm' | 'manual')[]
  readonly severity: readonly [min: number, max: number]
  readonly summaries: readonly Told[]
  readonly explanations: readonly Told[]
  readonly notes: readonly Told[]
  readonly opportunity?: Told
  /** Its possible outcomes. */
  readonly endings: readonly (readonly [outcome: keyof typeof outcomes, notes: Told])[]
  /** Set if it names a competitor. */
  readonly namesCompetitor?: true
}
