import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import type { Input } from '../../core/input.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import { interruptions } from '../../testing/journal/recorded-request.ts'

/** The length of the longest path, which is what a server of Node accepts. Units: characters. */
const MAX_PATH = 16_384

export const PreviewInput = lazyStrictObject(() => ({
  path: z
    .string()
    .max(MAX_PATH)
    .regex(/^\/[^#]*$/, 'must start with / and have no #')
    .refine((path) => path.length > MAX_PATH || IN_SERVICE.test(toTarget(path)), 'must stay below /v1')
    .describe(
      'Path and query as a client would send them, with or without `/v1`. Example: `/organizations/harbor/customers?scope=mine`.',
    ),
  token: z
    .string()
    .max(1_000)
    .regex(/^[\x20-\x7e]*$/, 'must have printable ASCII characters only')
    .describe('The token of the caller. Example: `sbx_harbor_1`.'),
}))

/** A request to preview. */
export interface PreviewInput extends Input<typeof PreviewInput> {}

export const Preview = lazyObject(() => ({
  /** The request's method and path, from `/v1` on. */
  request: z.string(),
  status: z.int(),
  /** Names in lower case. */
  headers: z.record(z.string(), z.string()),
  /** The JSON of the body, or of the problem. */
  body: z.unknown(),
  warnings: z.array(z.string()),
}))
export type Preview = z.infer<typeof Preview>

const IN_SERVICE = /^\/v1(?:[/?]|$)/

export function toTarget(path: string): string {
  const { pathname, search } = new URL(`http://sandbox${IN_SERVICE.test(path) ? '' : '/v1'}${path}`)
  return pathname + search
}

const id = recordId
  .optional()
  .describe(
    'The id of the record that should or should not be in the response. Default: the response as a whole is explained. Example: `12`.',
  )

export const ExplainRequest = PreviewInput.extend({
  method: z
    .string()
    .regex(/^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z]{1,20}$/, 'must be an HTTP method in capitals')
    .optional()
    .describe('The HTTP method, in capitals. Default: `GET`. Example: `POST`.'),
  id,
})

/** A request to explain. */
export interface ExplainRequest extends Input<typeof ExplainRequest> {}

export const ExplainRecorded = lazyStrictObject(() => ({
  requestId: recordId.describe(
    'The id of a request in the journal, whose recorded response is explained. Example: `7`.',
  ),
  id,
}))

/** A recorded request to explain. */
export interface ExplainRecorded extends Input<typeof ExplainRecorded> {}

export const ExplainInput = ExplainRequest.omit({ id: true })
  .extend(ExplainRecorded.shape)
  .partial()
  .superRefine(({ requestId, ...input }, context) => {
    for (const name of ['path', 'token', 'method'] as const) {
      const isGiven = input[name] !== undefined
      const isRecorded = requestId !== undefined
      if (isRecorded ? !isGiven : isGiven || name === 'method') continue
      const message = isRecorded
        ? 'must be omitted: the request with this requestId is recorded'
        : 'is required'
      context.addIssue({ code: 'custom', path: [name], message })
    }
  })
export type ExplainInput = ExplainRequest | ExplainRecorded

const ExplainedCondition = lazyObject(() => ({
  /** `token`, `operation`, `organization`, `scope`, `scenario`, `fault`, or the name of a parameter or field. */
  name: z.string(),
  /** Absent if the condition is about records and no record was given. */
  holds: z.boolean().optional(),
  text: z.string(),
  /** The number of records that meet this condition and those before it. */
  matchesSoFar: z.int().optional(),
}))
export type ExplainedCondition = z.infer<typeof ExplainedCondition>

const ExplainedPlace = lazyObject(() => ({
  /** Counted from 0. */
  position: z.int(),
  total: z.int(),
  /** The offset of the page that shows the record, with the same `limit`; absent if the list has no pages. */
  offset: z.int().optional(),
}))

const ExplainedResponse = lazyObject(() => ({
  request: z.string(),
  /** The status of the response if no fault acts. */
  status: z.int(),
  /** Whether the record is in the response; absent if no record was given or this is unknown. */
  included: z.boolean().optional(),
  summary: z.string(),
  /** Order: as the service checks them; an error ends them. */
  conditions: z.array(ExplainedCondition),
  /** Absent if no record was given, or it does not match. */
  place: ExplainedPlace.optional(),
  /** How many records match, before pagination; absent if the response is not a list. */
  total: z.int().optional(),
  warnings: z.array(z.string()),
}))
export type ExplainedResponse = z.infer<typeof ExplainedResponse>

/** A fact that made a recorded response different from what the service alone would answer, or would answer now. */
const ExplainedCause = lazyObject(() => ({
  kind: z.enum(['fault', 'scenario', 'change', 'time', 'assumption']),
  text: z.string(),
  id: z.string().optional(),
  /** The recorded request on which it acted. */
  requestId: z.int().optional(),
}))
export type ExplainedCause = z.infer<typeof ExplainedCause>

/**
 * The reasons for a response. Those for a recorded one are about the response as it was recorded and about the data as it
 * was then; `now` is about the response to the same request today.
 */
export const Explanation = ExplainedResponse.extend({
  /** The status of the response if no fault acts; for a recorded request, how it ended. */
  status: z.union([z.int(), z.enum(interruptions)]),
  /** The recorded request; as the following fields, absent for a request that is not recorded. */
  requestId: z.int().optional(),
  /** False if the data of that moment is no longer known, so that only the record itself is explained. */
  isRebuilt: z.boolean().optional(),
  /** Order: what acted on the request, then what has changed since. */
  causes: z.array(ExplainedCause).optional(),
  now: ExplainedResponse.optional(),
})
export type Explanation = z.infer<typeof Explanation>
