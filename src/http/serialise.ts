import { type PageShown, ResponseBody } from '../core/response.ts'
import type { Operation } from '../service/contract.ts'
import type { Resource } from '../service/endpoint.ts'
import type { Selection } from '../store/selection.ts'
import type { Data, SessionData } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'

export type JsonBytes = Uint8Array<ArrayBuffer>

export interface Serialised {
  /** The JSON of each record with a comma behind it, so that lists need no copies. Order: as the rows. */
  readonly parts: JsonBytes[]
  /** Bytes that only the session holds, not the dataset. */
  readonly unshared: number
}

export type Serialiser = (
  operation: Operation,
  rows: readonly Row<TableName>[],
  data: Data,
  sessionData: SessionData,
) => Serialised

const encoder = new TextEncoder()

const encodeJson = (text: string): JsonBytes => encoder.encode(text)

/** The overhead of a part with a buffer of its own. Units: bytes, estimated. */
const OWN_PART = 300

/** Creates a serialiser for one contract. Errors: internal_error if a record does not match its shape. */
export function createSerialiser(): Serialiser {
  const caches = new Map<Resource, WeakMap<Row<TableName>, JsonBytes>>()
  return (operation, rows, data, sessionData) => {
    const { resource } = operation
    if (sessionData.hasChanged(resource.embeds)) return serialiseAnew(operation, rows, data, sessionData)
    const cache = caches.get(resource) ?? new WeakMap<Row<TableName>, JsonBytes>()
    caches.set(resource, cache)
    const mayBeOwn = sessionData.hasChanged([resource.table])
    let unshared = 0
    const parts = rows.map((row) => {
      let json = cache.get(row)
      if (!json) {
        json = encodeJson(serialiseRow(operation, row, data))
        cache.set(row, json)
      }
      if (mayBeOwn && sessionData.isChanged(resource.table, row.id)) unshared += OWN_PART + json.length
      return json
    })
    return { parts, unshared }
  }
}

export const serialiseAnew: Serialiser = (operation, rows, data) => {
  const json = encodeJson(rows.map((row) => serialiseRow(operation, row, data)).join(''))
  return { parts: [json], unshared: OWN_PART + json.length }
}

const serialiseRow = ({ present }: Operation, row: Row<TableName>, data: Data): string =>
  `${JSON.stringify(present(row, data))},`

export type Result = Row<TableName> | Selection<Row<TableName>>

const [listStart, listEnd, pageStart] = [encodeJson('['), encodeJson(']'), encodeJson('{"items":[')]

/** Renders what an endpoint has found: one record, a list, or the page of a list that the query names. */
export function renderResult(
  operation: Operation,
  result: Result,
  query: unknown,
  { serialise, data, sessionData }: { serialise: Serialiser; data: Data; sessionData: SessionData },
): { readonly status: number; readonly body: ResponseBody; readonly page?: PageShown } {
  const { returns, status } = operation
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operation with pages has these parameters
  const { offset, limit } = query as { offset: number; limit: number }
  const isPart = returns === 'page' || returns === 'slice'
  const rows = !('page' in result) ? [result] : isPart ? result.page(offset, limit) : result.page()
  const { parts, unshared } = serialise(operation, rows, data, sessionData)
  const last = parts.pop()
  if (last) parts.push(last.subarray(0, -1))
  if (!('page' in result)) return { status, body: new ResponseBody(parts, unshared) }
  const { total } = result
  const isArray = returns === 'list' || returns === 'slice'
  const [start, end] = isArray ? [listStart, listEnd] : [pageStart, encodeJson(`],"totalCount":${total}}`)]
  const body = new ResponseBody([start, ...parts, end], unshared)
  return { status, body, ...(returns === 'page' && { page: { offset, limit, total } }) }
}
