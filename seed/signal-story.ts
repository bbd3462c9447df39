import type { Facts } from './signal-facts.ts'
import type { categories, outcomes, subCategories, types } from './signal-lookups.ts'
import type { Stage } from './stages.ts'

/** A sentence told from the facts. */
export type Told = (facts: Facts) => string

/** A kind of signal: everything that its texts, its severity and its lookups must agree on. */
export interface Story {
  readonly category: keyof typeof categories
  readonly type: keyof typeof types
  readonly subCategory: keyof typeof subCategories
  readonly stages: readonly Stage[]
  /** Which of a customer's products it is about; `other` is one that it does not have, `any` may be either. */
  readonly about: 'used' | 'onboarding' | 'renewing' | 'churned' | 'other' | 'any'
  readonly sources: readonly ('usage' | 'meeting' | 'survey' | 'support' | 'crm' | 'manual')[]
  readonly severity: readonly [min: number, max: number]
  readonly summaries: readonly Told[]
  readonly explanations: readonly Told[]
  readonly notes: readonly Told[]
  readonly opportunity?: Told
  /** How it can end. */
  readonly endings: readonly (readonly [outcome: keyof typeof outcomes, notes: Told])[]
  /** Says that a competitor is part of it. */
  readonly namesCompetitor?: true
}
