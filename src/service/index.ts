import { automationEndpoints } from './automations.ts'
import { briefEndpoints } from './briefs.ts'
import { customerEndpoints } from './customers.ts'
import { definitionEndpoints } from './definitions.ts'
import type { Endpoint } from './endpoint.ts'
import { meetingEndpoints } from './meetings.ts'
import { memberEndpoints } from './members.ts'
import { noteEndpoints } from './notes.ts'
import { productEndpoints } from './products.ts'
import { signalEndpoints } from './signals.ts'

export const operations = {
  ...memberEndpoints,
  ...automationEndpoints,
  ...briefEndpoints,
  ...definitionEndpoints,
  ...noteEndpoints,
  ...productEndpoints,
  ...signalEndpoints,
  ...customerEndpoints,
  ...meetingEndpoints,
}

export type OperationId = keyof typeof operations

/** Every operation of the document; routes, OpenAPI, README and tests are loops over this list. */
export const endpoints: readonly Endpoint[] = Object.values(operations)
