import { getOrCreate } from '../core/maps.ts'
import { createResponse, ResponseBody } from '../core/response.ts'
import type { Operation } from '../service/contract.ts'
import type { Call, Endpoint, Result } from '../service/endpoint.ts'
import type { Row, TableName } from '../store/tables.ts'
import type { RouteContext } from './env.ts'
import { findWarnings, renderWarningHeader } from './warn.ts'

type JsonBytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

const arrayEnds = [encoder.encode('['), encoder.encode(']')] as const
const pageStart = encoder.encode('{"items":[')

/**
 * Responds with what an endpoint has found: one record, a list, or the page of a list that the query names; at the session's
 * time, and with warnings, which the journal keeps as well.
 * Errors: internal_error if a record does not match its shape.
 */
export function respond(c: RouteContext, endpoint: Endpoint, result: Result, call?: Call): Response {
  const operation = c.get('contract').bind(endpoint)
  const { returns, status } = operation
  const warnings = c.req.url.includes('?') ? findWarnings(c, endpoint, result, call) : []
  if (warnings.length > 0) c.get('entry').warnings = warnings
  const headers = {
    'content-type': 'application/json',
    date: c.get('session').clock.httpDate,
    ...(warnings.length > 0 && { 'sandbox-warning': renderWarningHeader(warnings) }),
  }
  if (!('page' in result)) return createResponse(renderRecords(c, operation, [result]), { status, headers })
  const { total } = result
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operation with pages has these parameters
  const { offset, limit } = c.req.valid('query') as { offset: number; limit: number }
  const isPart = returns === 'page' || returns === 'slice'
  const isArray = returns === 'list' || returns === 'slice'
  const rows = isPart ? result.page(offset, limit) : result.page()
  const ends = isArray ? arrayEnds : ([pageStart, encoder.encode(`],"totalCount":${total}}`)] as const)
  const page = returns === 'page' ? { offset, limit, total } : undefined
  return createResponse(renderRecords(c, operation, rows, ends), { status, headers, page })
}

/** The overhead of a part with a buffer of its own. Units: bytes, estimated. */
const OWN_PART = 300

/** The memory of a row, for each byte of its record. Units: bytes, estimated. */
const ROW = 2

/** Renders a record, or those of a list between its ends. Each is rendered once, as long as what it shows does not change. */
function renderRecords(
  c: RouteContext,
  { present, resource }: Operation,
  rows: readonly Row<TableName>[],
  ends?: readonly [JsonBytes, JsonBytes],
): ResponseBody {
  const [data, records, { data: sessionData }] = [c.get('data'), c.get('records'), c.get('session')]
  const toText = (row: Row<TableName>): string => `${JSON.stringify(present(row, data))},`
  const isShared = records !== undefined && !sessionData.hasChanged(resource.embeds)
  let parts: JsonBytes[]
  // The bytes that only the session holds, not the dataset.
  let unshared = 0
  if (isShared) {
    const cache = getOrCreate(records, resource, () => new WeakMap())
    const mayBeOwn = sessionData.hasChanged([resource.table])
    parts = rows.map((row) => {
      let json = cache.get(row)
      if (!json) cache.set(row, (json = encoder.encode(toText(row))))
      if (mayBeOwn && sessionData.isChanged(resource.table, row.id))
        unshared += OWN_PART + (1 + ROW) * json.length
      return json
    })
  } else {
    parts = [encoder.encode(rows.map(toText).join(''))]
    unshared = OWN_PART + (parts[0]?.length ?? 0)
  }
  const last = parts.pop()
  if (last) parts.push(last.subarray(0, -1))
  if (!ends) return new ResponseBody(parts, { unshared })
  return new ResponseBody([ends[0], ...parts, ends[1]], { unshared, rows: isShared ? rows : undefined })
}
