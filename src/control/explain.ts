import * as z from 'zod'

import { invalidRequest } from '../contract/errors.ts'
import { recordId } from '../contract/fields.ts'
import { addressConditions } from './explain-address.ts'
import { choiceConditions } from './explain-choice.ts'
import { AskedInput, parsedAsked } from './explain-request.ts'
import type { ExplainedCondition, ExplainedPlace, Explanation } from './explain-shape.ts'
import { type Trace, traced } from './explain-trace.ts'
import { called, capital, fieldsOf } from './explain-words.ts'
import type { Session } from './sessions/session.ts'

/** A request that is explained, not sent. */
const ExplainInput = AskedInput.extend({
  method: z
    .string()
    .regex(/^[A-Z]+$/, 'must be an HTTP method in capitals')
    .default('GET'),
  /** A record's id: why it is, or is not, in the answer. */
  id: recordId.optional(),
})
export type ExplainInput = z.input<typeof ExplainInput>

/**
 * Explains the answer to a request by sending it through the service's own steps, up to its body: nothing is written,
 * no journal knows of it, no fault is used up. Errors: invalid_request that names each field.
 */
export async function explained(session: Session, input: unknown): Promise<Explanation> {
  const asked = parsedAsked(ExplainInput, input)
  const { id } = asked
  const trace = await traced(session, asked)
  if (id !== undefined && trace.isWrite) {
    const message = 'must be left out: the answer is the record that this request creates'
    throw invalidRequest([{ in: 'body', name: 'id', message }])
  }
  const place = id === undefined ? undefined : placeOf(trace, id)
  const conditions = [...addressConditions(trace), ...recordConditions(trace, id)]
  return {
    request: trace.request,
    status: trace.status,
    ...(id !== undefined && { included: isIncluded(trace, id, place) }),
    summary: summaryOf(trace, conditions, id),
    conditions,
    ...(place && { place }),
    ...(trace.query && { total: trace.rows.length }),
    warnings: trace.warnings,
  }
}

/** Why the record is among those that match, or which they are. */
function recordConditions(trace: Trace, id: number | undefined): ExplainedCondition[] {
  const { call, query, route, data, rows } = trace
  if (!call || !route || trace.isWrite) return []
  const { table } = route.endpoint.resource
  if (!query) {
    if (id === undefined) return []
    const answered = rows[0]?.id
    const text = `The answer is ${called(table, answered ?? 0)}.`
    return [{ name: 'id', holds: answered === id, text, asked: id, found: answered }]
  }
  if (id === undefined) return choiceConditions(trace, query, call, undefined)
  if (data.get(table, id)) return choiceConditions(trace, query, call, id)
  const missing = {
    name: 'id',
    holds: false,
    text: `There is no ${called(table, id)}.`,
    asked: id,
    found: null,
  }
  return [missing, ...choiceConditions(trace, query, call, undefined)]
}

/** The page that is asked for; undefined where there are none. */
function pageOf({ call }: Trace): { readonly offset: number; readonly limit: number } | undefined {
  const { offset, limit } = fieldsOf(call?.query)
  return typeof offset === 'number' && typeof limit === 'number' ? { offset, limit } : undefined
}

function placeOf(trace: Trace, id: number): ExplainedPlace | undefined {
  const { query, rows } = trace
  const position = rows.findIndex((row) => row.id === id)
  if (!query || position === -1) return undefined
  const page = pageOf(trace)
  const offset = page && Math.floor(position / page.limit) * page.limit
  return { position, total: rows.length, ...(offset !== undefined && { offset }) }
}

function isIncluded(trace: Trace, id: number, place: ExplainedPlace | undefined): boolean {
  if (!trace.query) return trace.rows[0]?.id === id
  const { offset, limit } = pageOf(trace) ?? { offset: 0, limit: Infinity }
  return place !== undefined && place.position >= offset && place.position < offset + limit
}

function summaryOf(trace: Trace, conditions: readonly ExplainedCondition[], id: number | undefined): string {
  const { request, status, error, route, query, rows } = trace
  const missed = conditions.filter(({ holds }) => holds === false).map(({ text }) => text)
  if (error || !route) return `${request} is answered ${status}: ${missed.join(' ')}`
  if (trace.isWrite) return `${request} is answered ${status} where its body fits; it is not looked at here.`
  const { table } = route.endpoint.resource
  if (id === undefined) {
    const what = query ? `${rows.length} records match` : called(table, rows[0]?.id ?? 0)
    return `${request} is answered ${status}: ${what}.`
  }
  const record = capital(called(table, id))
  const place = placeOf(trace, id)
  if (isIncluded(trace, id, place)) {
    return `${record} is in the answer${place ? `, at position ${place.position} of ${place.total} from 0 on` : ''}.`
  }
  if (!place) return `${record} is not in the answer. ${missed.join(' ')}`
  const where = `at position ${place.position} of ${place.total} from 0 on`
  return `${record} matches, ${where}, which is on another page: ask for offset=${place.offset}.`
}
