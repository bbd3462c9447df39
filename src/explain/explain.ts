import * as z from 'zod'

import { recordId } from '../contract/fields.ts'
import { invalidRequest } from '../core/errors.ts'
import { lazyObject, lazyStrictObject } from '../core/lazy-schema.ts'
import { capitalize } from '../core/words.ts'
import { interruptions } from '../journal/entry.ts'
import { nameRecord } from '../store/tables.ts'
import {
  asRecord,
  ExplainedCondition,
  explainAbsence,
  explainAddress,
  explainFilters,
  type Trace,
} from './conditions.ts'
import type { PreviewFields, ExplainFields, ExplainRecordedFields } from './dry-run-fields.ts'

/** The length of the longest path, which is what a server of Node accepts. Units: characters. */
const MAX_PATH = 16_384

const MAX_TOKEN = 1_000

export const PreviewInput = lazyStrictObject(() => ({
  path: z
    .string()
    .max(MAX_PATH)
    .regex(/^\/[^#]*$/, 'must start with / and have no #')
    .refine((path) => path.length > MAX_PATH || IN_SERVICE.test(toTarget(path)), 'must stay below /v1'),
  token: z
    .string()
    .max(MAX_TOKEN)
    .regex(/^[\x20-\x7e]*$/, 'must have printable ASCII characters only'),
}))
export type PreviewInput = PreviewFields

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

const unrecorded = ['path', 'token', 'method'] as const

export const ExplainInput = PreviewInput.partial()
  .extend({
    method: z
      .string()
      .regex(/^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z]{1,20}$/, 'must be an HTTP method in capitals')
      .optional(),
    requestId: recordId.optional(),
    id: recordId.optional(),
  })
  .superRefine((input, context) => {
    for (const name of unrecorded) {
      const isGiven = input[name] !== undefined
      if (input.requestId !== undefined && isGiven) {
        const message = 'must be omitted: the request with this requestId is recorded'
        context.addIssue({ code: 'custom', path: [name], message })
      }
      if (input.requestId !== undefined || isGiven || name === 'method') continue
      context.addIssue({ code: 'custom', path: [name], message: 'is required' })
    }
  })
export type ExplainInput = ExplainFields | ExplainRecordedFields

const ExplainedPlace = lazyObject(() => ({
  /** Counted from 0. */
  position: z.int(),
  total: z.int(),
  /** The offset of the page that shows the record, with the same `limit`; absent if the list has no pages. */
  offset: z.int().optional(),
}))
type ExplainedPlace = z.infer<typeof ExplainedPlace>

export const ExplainedResponse = lazyObject(() => ({
  request: z.string(),
  /** The status of the response if no fault acts. */
  status: z.int(),
  /** Whether the record is in the response; absent if no record was given. */
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
export const ExplainedCause = lazyObject(() => ({
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

export function explainTrace(trace: Trace, id: number | undefined): ExplainedResponse {
  if (id !== undefined && trace.isWrite) {
    const message = 'must be omitted: the response is the record that this request creates'
    throw invalidRequest([{ in: 'body', name: 'id', message }])
  }
  const conditions = [...explainAddress(trace), ...explainRecords(trace, id)]
  const { place, included } = id === undefined ? {} : locate(trace, id)
  return {
    request: trace.request,
    status: trace.status,
    ...(included !== undefined && { included }),
    summary: summarize(trace, conditions, id, place, included),
    conditions,
    ...(place && { place }),
    ...(trace.query && { total: trace.rows.length }),
    warnings: trace.warnings,
  }
}

function explainRecords(trace: Trace, id: number | undefined): ExplainedCondition[] {
  const { call, query, route, data, rows } = trace
  if (!call || !route || trace.isWrite) return []
  const { table } = route.endpoint.resource
  if (!query) {
    if (id === undefined) return []
    const shownId = rows[0]?.id
    const text = `The response is ${nameRecord(table, shownId ?? 0)}.`
    return [{ name: 'id', holds: shownId === id, text, requested: id, found: shownId }]
  }
  if (id === undefined || data.get(table, id)) return explainFilters(trace, query, call, id)
  const text = explainAbsence(trace, table, id)
  const missing = { name: 'id', holds: false, text, requested: id, found: null }
  return [missing, ...explainFilters(trace, query, call, undefined)]
}

/** Finds a record in a list, and reports whether the requested page, or the record alone, shows it. */
function locate(
  { call, query, rows }: Trace,
  id: number,
): { readonly place?: ExplainedPlace; readonly included: boolean } {
  const position = rows.findIndex((row) => row.id === id)
  if (!query || position === -1) return { included: !query && rows[0]?.id === id }
  const { offset, limit } = asRecord(call?.query)
  const total = rows.length
  if (typeof offset !== 'number' || typeof limit !== 'number') {
    return { place: { position, total }, included: true }
  }
  const place = { position, total, offset: Math.floor(position / limit) * limit }
  return { place, included: position >= offset && position < offset + limit }
}

function summarize(
  { request, status, error, route, query, rows, isWrite, refusal }: Trace,
  conditions: readonly ExplainedCondition[],
  id: number | undefined,
  place: ExplainedPlace | undefined,
  included: boolean | undefined,
): string {
  const outcome = `${request} returns ${status}`
  const failed = conditions.flatMap(({ holds, text }) => (holds === false ? text : [])).join(' ')
  if (error || refusal || !route) return `${outcome}: ${failed}`
  if (isWrite) return `${outcome} if its body is valid; the body is not checked here.`
  const { table } = route.endpoint.resource
  if (id === undefined) {
    return `${outcome}: ${query ? `${rows.length} records match` : nameRecord(table, rows[0]?.id ?? 0)}.`
  }
  const record = capitalize(nameRecord(table, id))
  const where = place && `at position ${place.position} of ${place.total}, counted from 0`
  if (included) return `${record} is in the response${where ? `, ${where}` : ''}.`
  if (!place) return `${record} is not in the response. ${failed}`
  return `${record} matches, ${where}, but is on another page: send offset=${place.offset}.`
}
