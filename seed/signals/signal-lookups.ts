export const categories = {
  adoption: { id: 1, name: 'Adoption' },
  renewal: { id: 2, name: 'Renewal' },
  expansion: { id: 3, name: 'Expansion' },
  support: { id: 4, name: 'Support' },
  relationship: { id: 5, name: 'Relationship' },
  competition: { id: 6, name: 'Competition' },
  feedback: { id: 7, name: 'Product feedback' },
  billing: { id: 8, name: 'Billing' },
} as const

export const types = {
  risk: { id: 1, name: 'Risk', color: '#D64545' },
  opportunity: { id: 2, name: 'Opportunity', color: '#2F9E6E' },
  milestone: { id: 3, name: 'Milestone', color: '#3B7DD8' },
  information: { id: 4, name: 'Information', color: '#8A8F98' },
} as const

// The ids of optional lookups start at 2; 1 is the entry for "none".

export const subCategories = {
  usageDecline: { id: 2, name: 'Usage decline' },
  slowRollout: { id: 3, name: 'Slow rollout' },
  strongUse: { id: 4, name: 'Strong use' },
  terms: { id: 5, name: 'Terms' },
  budget: { id: 6, name: 'Budget' },
  seats: { id: 7, name: 'More seats' },
  newProduct: { id: 8, name: 'New product' },
  incident: { id: 9, name: 'Incident' },
  responseTime: { id: 10, name: 'Response time' },
  sponsorChange: { id: 11, name: 'Sponsor change' },
  silence: { id: 12, name: 'Silence' },
  evaluation: { id: 13, name: 'Evaluation' },
  missingFeature: { id: 14, name: 'Missing feature' },
  usability: { id: 15, name: 'Usability' },
  latePayment: { id: 16, name: 'Late payment' },
  invoice: { id: 17, name: 'Invoice' },
  training: { id: 18, name: 'Training' },
  goLive: { id: 19, name: 'Go-live' },
  integration: { id: 20, name: 'Integration' },
  securityReview: { id: 21, name: 'Security review' },
  surveyScore: { id: 22, name: 'Survey score' },
  advocacy: { id: 23, name: 'Advocacy' },
  cancellation: { id: 24, name: 'Cancellation' },
  winBack: { id: 25, name: 'Win-back' },
} as const

export const outcomes = {
  resolved: { id: 2, name: 'Resolved' },
  partly: { id: 3, name: 'Partly resolved' },
  renewed: { id: 4, name: 'Renewed' },
  expanded: { id: 5, name: 'Expanded' },
  lost: { id: 6, name: 'Lost' },
  noAction: { id: 7, name: 'No action needed' },
} as const

export const duplicate = { id: 2, name: 'Duplicate' } as const

export const dismissalReasons = [
  duplicate,
  { id: 3, name: 'Not relevant' },
  { id: 4, name: 'Known already' },
  { id: 5, name: 'Wrong customer' },
  { id: 6, name: 'False alarm' },
] as const

const competitors = [
  { id: 2, name: 'Tessera BI' },
  { id: 3, name: 'Lumenstack' },
  { id: 4, name: 'Quantaboard' },
  { id: 5, name: 'Sixfold Insight' },
  { id: 6, name: 'Inkwell Legal' },
  { id: 7, name: 'Countersign' },
  { id: 8, name: 'Paperlane' },
] as const

export const getCompetitors = (ordinal: number): readonly { id: number; name: string }[] =>
  ordinal === 0 ? competitors.slice(0, 4) : competitors.slice(4)
