import { type PageShown, ResponseBody } from '../core/response.ts'
import { type BoundOperation, encodeRow } from '../service/contract.ts'
import type { Resource } from '../service/endpoint.ts'
import type { Selection } from '../store/selection.ts'
import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'

export type JsonBytes = Uint8Array<ArrayBuffer>

export interface Serialised {
  /** The JSON of each record with a comma behind it, so that lists need no copies. Order: as the rows. */
  readonly parts: JsonBytes[]
  /** Bytes that only the session holds, not the dataset. */
  readonly unshared: number
}

export type Serialiser = (
  operation: BoundOperation,
  rows: readonly Row<TableName>[],
  data: Data,
) => Serialised

/** The size of the buffers that records share. Units: bytes. */
const SLAB = 262_144

const encoder = new TextEncoder()

const encodeJson = (text: string): JsonBytes => encoder.encode(text)

/** The overhead of a part with a buffer of its own. Units: bytes, estimated. */
const OWN_PART = 300

/** Creates a serialiser for one contract. Errors: internal_error if a record does not match its shape. */
export function createSerialiser(): Serialiser {
  const caches = new Map<Resource, WeakMap<Row<TableName>, JsonBytes>>()
  const write = createSlabWriter()
  return (operation, rows, data) => {
    const { resource } = operation.endpoint
    if (data.hasChanged(resource.embeds)) return serialiseAnew(operation, rows, data)
    const cache = caches.get(resource) ?? new WeakMap<Row<TableName>, JsonBytes>()
    caches.set(resource, cache)
    const mayBeOwn = data.hasChanged([resource.table])
    let unshared = 0
    const parts = rows.map((row) => {
      const isOwn = mayBeOwn && data.isChanged(resource.table, row.id)
      let json = cache.get(row)
      if (!json) {
        const text = serialiseRow(operation, row, data)
        // In a shared buffer, a session's own records would keep their neighbours in memory.
        json = isOwn ? encodeJson(text) : write(text)
        cache.set(row, json)
      }
      if (isOwn) unshared += OWN_PART + json.length
      return json
    })
    return { parts, unshared }
  }
}

export const serialiseAnew: Serialiser = (operation, rows, data) => {
  const json = encodeJson(rows.map((row) => serialiseRow(operation, row, data)).join(''))
  return { parts: [json], unshared: OWN_PART + json.length }
}

const serialiseRow = (...parts: Parameters<typeof encodeRow>): string =>
  `${JSON.stringify(encodeRow(...parts))},`

/** Creates a function that encodes texts into shared buffers, since thousands of small buffers would cost more. */
function createSlabWriter(): (text: string) => JsonBytes {
  let slab: JsonBytes = new Uint8Array()
  let used = 0
  return (text) => {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const most = text.length * 3
    if (most > SLAB / 4) return encodeJson(text)
    if (used + most > slab.length) [slab, used] = [new Uint8Array(SLAB), 0]
    const { written } = encoder.encodeInto(text, slab.subarray(used))
    const json = slab.subarray(used, used + written)
    used += written
    return json
  }
}

export type Result = Row<TableName> | Selection<Row<TableName>>

const [listStart, listEnd, pageStart] = [encodeJson('['), encodeJson(']'), encodeJson('{"items":[')]

export function renderResult(
  { returns }: BoundOperation,
  result: Result,
  query: unknown,
  json: (rows: readonly Row<TableName>[]) => Serialised,
): { readonly body: ResponseBody; readonly page?: Omit<PageShown, 'list'> } {
  if (!('page' in result)) {
    const { parts, unshared } = json([result])
    return { body: new ResponseBody(parts.map(withoutComma), unshared) }
  }
  const { total } = result
  const end = encodeJson(`],"totalCount":${total}}`)
  if (returns === 'list') return { body: joinList(listStart, json(result.page()), listEnd) }
  if (returns === 'envelope') return { body: joinList(pageStart, json(result.page()), end) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operation with pages has these parameters
  const { offset, limit } = query as { offset: number; limit: number }
  const rows = json(result.page(offset, limit))
  if (returns === 'slice') return { body: joinList(listStart, rows, listEnd) }
  return { body: joinList(pageStart, rows, end), page: { offset, limit, total } }
}

function joinList(start: JsonBytes, { parts, unshared }: Serialised, end: JsonBytes): ResponseBody {
  const last = parts.pop()
  if (last) parts.push(withoutComma(last))
  return new ResponseBody([start, ...parts, end], unshared)
}

const withoutComma = (json: JsonBytes): JsonBytes => json.subarray(0, -1)
