import * as z from 'zod'

import type { AssumptionId } from '../contract/assumptions.ts'
import { choices } from '../contract/choices.ts'
import { toComparable } from '../contract/instants.ts'
import { getProvenance } from '../contract/provenance.ts'
import { findArrayNames, withoutIndex, parseQueryString, findUnknownNames } from '../contract/query.ts'
import type { ResponseBody } from '../core/response.ts'
import type { Entry } from '../journal/entry.ts'
import type { BoundOperation } from '../resources/contract.ts'
import { type Endpoint, findOwn } from '../resources/endpoint.ts'
import { matchRoute } from '../resources/match-route.ts'
import type { Data } from '../store/session-data.ts'
import { type Row, type TableName, tables } from '../store/tables.ts'
import { findInRecords, findInSchema, listVariants } from './schema-dependencies.ts'

export type Dependencies = ReadonlySet<AssumptionId> | 'fault'

/**
 * Finds the assumptions that a response depends on; undefined if there is no response. An evicted body counts as if it
 * had every possible field.
 * @param data the session's current data
 */
export function findDependencies(entry: Entry, data: Data): Dependencies | undefined {
  const { status, faultId } = entry
  if (status === 'pending') return undefined
  if (entry.isFaultResponse) return 'fault'
  if (typeof status !== 'number') return faultId === undefined ? undefined : 'fault'
  return new Set([
    ...findInProtocol(entry, status),
    ...findInRequest(entry, data),
    ...(status >= 400 ? findInError(entry, data) : findInResponse(entry)),
  ])
}

const PROTOCOL_ERRORS = new Set([405, 413, 415])

function findInProtocol({ method, headers }: Entry, status: number): AssumptionId[] {
  const isCrossOrigin = headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'origin')
  return method === 'HEAD' || PROTOCOL_ERRORS.has(status) || isCrossOrigin ? [choices.cors.assumption] : []
}

function findInRequest(entry: Entry, data: Data): AssumptionId[] {
  const { method, path, search, endpoint, caller, requestBody } = entry
  if (!endpoint || !caller) return []
  const organizationId = matchRoute(method, path)?.parameters['organizationId'] ?? caller.organizationId
  if (organizationId !== caller.organizationId) return []
  return [
    ...findInQuery(endpoint, search, { caller, data }),
    ...(endpoint.body && requestBody ? findInSchema(endpoint.body) : []),
  ]
}

interface Parameter {
  readonly name: string
  readonly spellings: readonly string[]
  readonly values: readonly string[]
  readonly caller: Row<'members'>
  readonly data: Data
}

const matters: ReadonlyMap<AssumptionId, (parameter: Parameter) => boolean> = new Map([
  [choices.team.assumption, ({ values }: Parameter) => values.includes('team')],
  [
    choices.arrayEncoding.assumption,
    ({ values, spellings }: Parameter) =>
      values.length > 1 || values[0]?.includes(',') === true || spellings.some((name) => name.endsWith(']')),
  ],
  [
    choices.dateFilters.assumption,
    ({ values }: Parameter) =>
      values.some((value) => toComparable(value, 'exact') !== toComparable(value, 'milliseconds')),
  ],
  [
    choices.unknownMember.assumption,
    ({ name, values, data, caller }: Parameter) => {
      const table = name === 'memberId' ? 'members' : 'memberRoles'
      return values.some((value) => findOwn(table, Number(value), { caller, data }) === undefined)
    },
  ],
])

function findInQuery(
  { query }: Pick<Endpoint, 'query'>,
  search: string,
  context: Pick<Parameter, 'caller' | 'data'>,
): AssumptionId[] {
  const arrays = findArrayNames(query)
  const sent = Array.from(new URLSearchParams(search), ([spelling, value]) => {
    return { spelling, value, name: withoutIndex(spelling, arrays) }
  })
  const unknown = findUnknownNames(
    query,
    sent.map(({ spelling }) => spelling),
  )
  return [
    ...(unknown.length > 0 ? [choices.unknownParameters.assumption] : []),
    ...Object.entries(query.parameters).flatMap(([name, schema]) => {
      const sentValues = sent.filter((one) => one.name === name)
      if (sentValues.length === 0 || !(schema instanceof z.ZodType)) return []
      const spellings = sentValues.map(({ spelling }) => spelling)
      const values = sentValues.map(({ value }) => value)
      return findInParameter(schema, arrays.has(name), { ...context, name, spellings, values })
    }),
  ]
}

function findInParameter(schema: z.ZodType, isList: boolean, parameter: Parameter): AssumptionId[] {
  const inner = schema instanceof z.ZodPipe && schema.out instanceof z.ZodType ? schema.out : schema
  const isSingle = parameter.values.length === 1 && parameter.values[0] !== ''
  const marked = getProvenance(inner)?.['x-assumption']
  const value = isList ? parameter.values : parameter.values[0]
  const parsed = parseToText(schema, value)
  return [
    ...(marked !== undefined && matters.get(marked)?.(parameter) !== false ? [marked] : []),
    // Every parameter that takes a list compares text.
    ...(isList ? [choices.textMatching.assumption] : isSingle ? [] : [choices.singleValues.assumption]),
    ...listVariants(schema).flatMap(({ id, schema: other }) =>
      parseToText(other, value) === parsed ? [] : id,
    ),
  ]
}

function parseToText(schema: z.ZodType, value: unknown): string {
  const { success, data } = schema.safeParse(value)
  return success ? JSON.stringify(data) : 'invalid'
}

type Reason = 'caller' | 'endpoint' | 'organization' | 'path' | 'query' | 'record'

const byReason: Readonly<Record<Reason, readonly AssumptionId[]>> = {
  caller: [],
  endpoint: [],
  organization: [choices.otherOrganization.assumption],
  path: [choices.violationStatus.assumption],
  query: [choices.violationStatus.assumption],
  record: [choices.foreignRecord.assumption],
}

function findInError(entry: Entry, data: Data): AssumptionId[] {
  const { status, contract } = entry
  const { refusals, violationStatus } = contract.settings
  const reasons = listReasons(entry, data)
  const isRecordFirst = refusals === 'record' && reasons.includes('record') && !reasons.includes('path')
  const first = isRecordFirst ? 'record' : reasons[0]
  const isInvalid = status === violationStatus
  return [
    choices.errorFormat.assumption,
    ...(first ? byReason[first] : isInvalid ? [choices.violationStatus.assumption] : []),
    ...(reasons.length > 1 ? [choices.refusals.assumption] : []),
  ]
}

/** Lists every reason to reject a request. Order: as the service checks them by default. */
function listReasons({ method, path, search, caller, endpoint, contract }: Entry, data: Data): Reason[] {
  const reasons: Reason[] = caller ? [] : ['caller']
  const route = endpoint && matchRoute(method, path)
  if (!route) return [...reasons, 'endpoint']
  const { settings } = contract
  const { schemas, query } = contract.bind(route.endpoint)
  const { organizationId } = route.parameters
  const isOwn = organizationId === undefined || organizationId === caller?.organizationId
  if (caller && !isOwn) reasons.push('organization')
  const parsedPath = schemas.path.safeParse(route.parameters)
  if (!parsedPath.success) reasons.push('path')
  const values = parseQueryString(search)
  const unknown = settings.unknownParameters === 'refused' ? findUnknownNames(query, Object.keys(values)) : []
  if (unknown.length > 0 || !schemas.query.safeParse(values).success) reasons.push('query')
  const { find } = route.endpoint
  if (!caller || !isOwn || !parsedPath.success || !find) return reasons
  try {
    if (find({ path: parsedPath.data, caller, data, settings })) return reasons
  } catch {
    // For a record of another organization, `find` may throw.
  }
  return [...reasons, 'record']
}

function findInResponse(entry: Entry): AssumptionId[] {
  const { endpoint, contract } = entry
  if (!endpoint) return []
  const operation = contract.bind(endpoint)
  const creates = operation.method === 'POST'
  return [
    ...findInEnvelope(endpoint),
    ...(creates ? [choices.noteTouches.assumption] : []),
    // Source: Endpoints, "return 200".
    ...(creates && operation.status !== 200 ? [choices.createStatus.assumption] : []),
    ...findInBody(entry, operation),
  ]
}

function findInEnvelope({ assumes, returns }: Endpoint): AssumptionId[] {
  if (assumes === undefined) return []
  if (returns === 'page') return [assumes, choices.pages.assumption]
  return returns === 'list' ? [assumes, choices.envelopes.assumption] : [assumes]
}

const byBody = new WeakMap<ResponseBody, readonly AssumptionId[]>()

function findInBody(entry: Entry, operation: BoundOperation): readonly AssumptionId[] {
  const { responseBody, contract, response } = entry
  const cached = responseBody && byBody.get(responseBody)
  if (cached) return cached
  const records = responseBody && readRecords(operation, responseBody)
  const isList = operation.returns !== 'one'
  // The document gives lists no order, so which records a page shows is assumed.
  const total = Math.max(response?.page?.total ?? 0, records?.length ?? (isList ? 2 : 1))
  const dependencies = [
    ...(isList && total > 1 ? findOrder(operation) : []),
    ...(isList && total > 0 ? findInContents(operation, entry.search) : []),
    ...findInRecords(operation.endpoint.shape, records, contract),
  ]
  if (responseBody) byBody.set(responseBody, dependencies)
  return dependencies
}

function findOrder({ endpoint }: BoundOperation): AssumptionId[] {
  const { table } = endpoint.resource
  if (tables[table].order === 'by id') return [choices.order.assumption]
  // Source: Endpoints, "most recent first".
  return table === 'briefContents' ? [] : ['A-42']
}

/** The tables with records that a list may leave out. Source: assumption A-47. */
const partlyListed: ReadonlySet<TableName> = new Set(['members', 'automations', 'signals', 'meetings'])

function findInContents({ endpoint, query }: BoundOperation, search: string): AssumptionId[] {
  const scope = new URLSearchParams(search).getAll('scope').findLast(Boolean) ?? 'all'
  return [
    ...('scope' in query.parameters && scope === 'all' ? (['A-43'] as const) : []),
    ...(partlyListed.has(endpoint.resource.table) ? (['A-47'] as const) : []),
  ]
}

function readRecords({ returns }: BoundOperation, body: ResponseBody): readonly unknown[] | undefined {
  const value: unknown = JSON.parse(new TextDecoder().decode(body.bytes))
  if (returns === 'one') return [value]
  if (Array.isArray(value)) return value
  return z.object({ items: z.array(z.unknown()) }).safeParse(value).data?.items
}
