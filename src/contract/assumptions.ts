import texts from './assumptions.json' with { type: 'json' }

/** A gap of the document and how the sandbox fills it; an assumption never contradicts the document. */
export interface Assumption {
  readonly subject: string
  readonly decision: string
  readonly because: string
}

// A copy, because the published types cannot refer to a JSON file.
export const assumptions = { ...texts } satisfies Record<string, Assumption>

export type AssumptionId = keyof typeof assumptions

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const assumptionIds = Object.keys(assumptions) as AssumptionId[]
