import type { AssumptionId } from '../../contract/assumptions.ts'
import { choices } from '../../contract/choices.ts'
import type { AnswerBody } from '../../http/answer-body.ts'
import { routeAt } from '../../http/match.ts'
import type { BoundOperation } from '../../resources/contract.ts'
import type { Endpoint } from '../../resources/endpoint.ts'
import type { Data } from '../../store/session-data.ts'
import { assumptionsInQuery } from './assumptions-query.ts'
import { assumptionsInRefusal } from './assumptions-refusal.ts'
import { assumptionsInRecords, assumptionsInShape } from './assumptions-shape.ts'
import type { Entry } from './entry.ts'

/** What an answer rests on: some assumptions; none where documented rules are all; or a fault that took its place. */
export type Basis = ReadonlySet<AssumptionId> | 'fault'

/**
 * What the answer to a request rests on, made from the contract and from what the journal keeps: undefined where it
 * has none. What is no longer known counts as what might have been.
 * @param data the session's, as it is now
 */
export function basisOf(entry: Entry, data: Data): Basis | undefined {
  const { status, faultId } = entry
  if (status === 'pending') return undefined
  if (entry.isFaultAnswer) return 'fault'
  if (typeof status !== 'number') return faultId === undefined ? undefined : 'fault'
  return new Set([
    ...inTransfer(entry, status),
    ...inRequest(entry, data),
    ...(status >= 400 ? assumptionsInRefusal(entry, data) : inAnswer(entry)),
  ])
}

const TRANSFER = new Set([405, 413, 415])

/** HTTP beyond GET and POST, and what pages of other origins may read. */
function inTransfer({ method, headers }: Entry, status: number): AssumptionId[] {
  const isShared = headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'origin')
  return method === 'HEAD' || TRANSFER.has(status) || isShared ? [choices.cors.assumption] : []
}

/** What was asked for, as far as the service read it. */
function inRequest(entry: Entry, data: Data): AssumptionId[] {
  const { method, path, search, endpoint, caller, requestBody } = entry
  if (!endpoint || !caller) return []
  const organizationId = routeAt(method, path)?.parameters['organizationId'] ?? caller.organizationId
  if (organizationId !== caller.organizationId) return []
  return [
    ...assumptionsInQuery(endpoint, search, { caller, data }),
    ...(endpoint.body && requestBody ? assumptionsInShape(endpoint.body) : []),
  ]
}

function inAnswer(entry: Entry): AssumptionId[] {
  const { endpoint, contract } = entry
  if (!endpoint) return []
  const operation = contract.of(endpoint)
  const creates = operation.method === 'POST'
  return [
    ...inOuterForm(endpoint),
    ...(creates ? [choices.createStatus.assumption, choices.noteTouches.assumption] : []),
    ...inBody(entry, operation),
  ]
}

/** What decides the outer form of an answer that the document does not show. */
function inOuterForm({ assumes, returns }: Endpoint): AssumptionId[] {
  if (assumes === undefined) return []
  if (returns === 'page') return [assumes, choices.pages.assumption]
  return returns === 'list' ? [assumes, choices.envelopes.assumption] : [assumes]
}

const read = new WeakMap<AnswerBody, readonly AssumptionId[]>()

/** Answers share their bodies, so each is gone through once. */
function inBody(entry: Entry, operation: BoundOperation): readonly AssumptionId[] {
  const { responseBody, contract, answer } = entry
  const found = responseBody && read.get(responseBody)
  if (found) return found
  const records = responseBody && recordsOf(operation, responseBody)
  // The document gives no list an order: which records a page shows, and in which row, is assumed.
  const total = Math.max(answer?.page?.total ?? 0, records?.length ?? (operation.returns === 'one' ? 1 : 2))
  const ids = [
    ...(operation.returns !== 'one' && total > 1 ? [choices.order.assumption] : []),
    ...assumptionsInRecords(operation.endpoint.shape, records, contract),
  ]
  if (responseBody) read.set(responseBody, ids)
  return ids
}

/** The records in an answer; undefined where it is not of its operation's form. */
function recordsOf({ returns }: BoundOperation, body: AnswerBody): readonly unknown[] | undefined {
  const value: unknown = JSON.parse(new TextDecoder().decode(body.bytes))
  if (returns === 'one') return [value]
  if (Array.isArray(value)) return value
  const { items } = { items: undefined, ...(typeof value === 'object' ? value : {}) }
  return Array.isArray(items) ? items : undefined
}
