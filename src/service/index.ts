import { automationEndpoints } from './automations.ts'
import { briefEndpoints } from './briefs.ts'
import { customerEndpoints } from './customers.ts'
import { definitionEndpoints, productEndpoints } from './definitions.ts'
import type { Endpoint } from './endpoint.ts'
import { meetingEndpoints } from './meetings.ts'
import { memberEndpoints } from './members.ts'
import { noteEndpoints } from './notes.ts'
import { signalEndpoints } from './signals.ts'

export const operations = {
  ...nameEndpoints('Members', memberEndpoints),
  ...nameEndpoints('Automations', automationEndpoints),
  ...nameEndpoints('Briefs', briefEndpoints),
  ...nameEndpoints('Definitions', definitionEndpoints),
  ...nameEndpoints('Notes', noteEndpoints),
  ...nameEndpoints('Products', productEndpoints),
  ...nameEndpoints('Signals', signalEndpoints),
  ...nameEndpoints('Customers', customerEndpoints),
  ...nameEndpoints('Meetings', meetingEndpoints),
}

/** Gives endpoints the ids that they have as keys, and the tag that groups them in the OpenAPI document. */
function nameEndpoints<G extends Readonly<Record<string, Omit<Endpoint, 'id' | 'tag'>>>>(
  tag: string,
  group: G,
): { readonly [I in keyof G]: G[I] & Pick<Endpoint, 'id' | 'tag'> } {
  const named = Object.entries(group).map(([id, one]) => [id, { ...one, id, tag }])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same keys
  return Object.fromEntries(named) as { readonly [I in keyof G]: G[I] & Pick<Endpoint, 'id' | 'tag'> }
}

export type OperationId = keyof typeof operations

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const operationIds = Object.keys(operations) as OperationId[]

/** Every operation of the document; routes, OpenAPI, README and tests are loops over this list. */
export const endpoints: readonly Endpoint[] = Object.values(operations)
