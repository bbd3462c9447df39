import { getOrCreate } from '../core/maps.ts'
import { type PageShown, ResponseBody } from '../core/response.ts'
import type { Operation } from '../service/contract.ts'
import type { Resource } from '../service/endpoint.ts'
import type { Selection } from '../store/selection.ts'
import type { Data, SessionData } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'

type JsonBytes = Uint8Array<ArrayBuffer>

/** The JSON of each record with a comma behind it, so that lists need no copies. */
export type RecordCache = Map<Resource, WeakMap<Row<TableName>, JsonBytes>>

/** The data of the session, and those that a request reads, whose records are kept if there is a cache. */
interface Source {
  readonly data: Data
  readonly sessionData: SessionData
  readonly records: RecordCache | undefined
}

const encoder = new TextEncoder()

const [listStart, listEnd, pageStart] = [
  encoder.encode('['),
  encoder.encode(']'),
  encoder.encode('{"items":['),
]

/** The overhead of a part with a buffer of its own. Units: bytes, estimated. */
const OWN_PART = 300

/** The memory of a row, for each byte of its record. Units: bytes, estimated. */
const ROW = 2

export type Result = Row<TableName> | Selection<Row<TableName>>

/**
 * Renders what an endpoint has found: one record, a list, or the page of a list that the query names.
 * Errors: internal_error if a record does not match its shape.
 */
export function renderResult(
  { present, resource, returns, status }: Operation,
  result: Result,
  query: unknown,
  { data, sessionData, records }: Source,
): { readonly status: number; readonly body: ResponseBody; readonly page?: PageShown } {
  const isPart = returns === 'page' || returns === 'slice'
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operation with pages has these parameters
  const { offset, limit } = query as { offset: number; limit: number }
  const rows = !('page' in result) ? [result] : isPart ? result.page(offset, limit) : result.page()
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
      if (mayBeOwn && sessionData.isChanged(resource.table, row.id)) {
        unshared += OWN_PART + (1 + ROW) * json.length
      }
      return json
    })
  } else {
    const json = encoder.encode(rows.map(toText).join(''))
    parts = [json]
    unshared = OWN_PART + json.length
  }
  const last = parts.pop()
  if (last) parts.push(last.subarray(0, -1))
  if (!('page' in result)) return { status, body: new ResponseBody(parts, { unshared }) }
  const { total } = result
  const isArray = returns === 'list' || returns === 'slice'
  const [start, end] = isArray
    ? [listStart, listEnd]
    : [pageStart, encoder.encode(`],"totalCount":${total}}`)]
  const body = new ResponseBody([start, ...parts, end], { unshared, rows: isShared ? rows : undefined })
  return { status, body, ...(returns === 'page' && { page: { offset, limit, total } }) }
}
