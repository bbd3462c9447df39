import type { Row } from '../../src/store/tables.ts'
import { industries } from '../customers/company-names.ts'

type Plan<T extends 'customFields' | 'memberRoles' | 'noteCategories' | 'briefs'> = Omit<
  Row<T>,
  'id' | 'organizationId'
>

export const rolePlans: readonly Plan<'memberRoles'>[] = [
  { key: 'csm', name: 'Customer Success Manager' },
  { key: 'accountManager', name: 'Account Manager' },
  { key: 'executiveSponsor', name: 'Executive Sponsor' },
  { key: 'implementationLead', name: 'Implementation Lead' },
]

export const customFieldPlans: readonly Plan<'customFields'>[] = [
  { key: 'industry', name: 'Industry', type: 'select', options: [...industries] },
  { key: 'tier', name: 'Tier', type: 'select', options: ['Gold', 'Silver', 'Bronze'] },
  { key: 'contractSigned', name: 'Contract signed', type: 'date', options: [] },
  { key: 'npsScore', name: 'Last NPS score', type: 'number', options: [] },
  { key: 'healthScore', name: 'Health score', type: 'number', options: [] },
  { key: 'isReference', name: 'Reference customer', type: 'boolean', options: [] },
  { key: 'successGoal', name: 'Success goal', type: 'text', options: [] },
  { key: 'goLiveDate', name: 'Go-live date', type: 'date', options: [] },
]

export const noteCategoryPlans: readonly Plan<'noteCategories'>[] = [
  { name: 'Call', isActive: true },
  { name: 'Internal', isActive: true },
  { name: 'Renewal', isActive: true },
  { name: 'Success plan', isActive: true },
  { name: 'Feedback', isActive: true },
  { name: 'Legacy import', isActive: false },
]

export const briefPlans: readonly Plan<'briefs'>[] = [
  {
    key: 'accountSummary',
    name: 'Account summary',
    description: 'Who the customer is, what it uses and what is open, on one page.',
    isActive: true,
  },
  {
    key: 'renewalPreparation',
    name: 'Renewal preparation',
    description: 'What renews when, for how much, and what stands in the way.',
    isActive: true,
  },
  {
    key: 'meetingPreparation',
    name: 'Meeting preparation',
    description: 'What to know and what to ask before the next meeting.',
    isActive: true,
  },
  {
    key: 'riskReview',
    name: 'Risk review',
    description: 'What could go wrong with the customer, and what is done about it.',
    isActive: true,
  },
  {
    key: 'onboardingHandover',
    name: 'Onboarding handover',
    description: 'What sales promised and implementation found. Replaced by the account summary.',
    isActive: false,
  },
]
