import { parseQueryString } from '../../contract/query.ts'
import { isObject, type JsonObject, listShown } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'
import type { ResponseBody } from '../../core/response.ts'
import { getContract, parseTarget } from '../../service/contract.ts'
import type { TableName } from '../../store/tables.ts'
import type { Delivery } from '../../testing/journal/deliveries.ts'
import { toTarget } from '../../testing/journal/entry.ts'
import type { Past, State } from './past.ts'

/** An answered request, with what it has shown. */
export interface Read {
  readonly id: number
  readonly delivery: Delivery
  readonly table: TableName
  readonly state: State
  readonly address: { readonly path: JsonObject; readonly query: JsonObject } | undefined
  /** The offsets of a page and of the next one, which is infinite for a list without pages; undefined for a single record. */
  readonly range: { readonly offset: number; readonly end: number } | undefined
  /** Path and query without `offset` and `limit`. */
  readonly list: string
  /** The list without its cursor, which is another one in each run. */
  readonly family: string
  readonly cursor: string | undefined
  readonly isFiltered: boolean
  /** Whether its list has every record that its path covers. */
  readonly isFull: boolean
  /** The records of the response; undefined if it has none, because it failed. */
  readonly rows: ReadonlyMap<number, JsonObject> | undefined
  readonly total: number | undefined
  /** Whether a scenario has changed the records in the response. */
  readonly isRewritten: boolean
}

const paging = new Set(['offset', 'limit'])

const cursors = new Set(['updatedSince', 'minStartDate'])

const rewriting = new Set(['new-enum-value', 'extra-field'])

export function createRead(delivery: Delivery, past: Past): Read {
  const { id, endpoint, url, page, body, scenarios, settings } = delivery
  const target = toTarget(url)
  const [path = '', search = ''] = target.split('?')
  const given = Object.entries(parseQueryString(search)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const filters = given.filter(([name]) => !paging.has(name) && !cursors.has(name))
  const address = parseTarget(getContract(settings), endpoint.method, target)
  const query = address?.query ?? {}
  const { offset, limit, updatedSince, minStartDate } = query
  const range =
    typeof offset === 'number' && typeof limit === 'number'
      ? { offset, end: offset + limit }
      : { offset: 0, end: Infinity }
  const isFiltered = filters.some(([name, value]) => name !== 'scope' || value !== 'all')
  const rows = body && readRows(body)
  // A list whose response does not count its records may show its end.
  const seenEnd = rows && range.offset + rows.size < range.end ? range.offset + rows.size : undefined
  return {
    id,
    delivery,
    table: endpoint.resource.table,
    state: past.find(delivery.seen),
    address: address && { path: isObject(address.path) ? address.path : {}, query },
    range: endpoint.returns === 'one' ? undefined : range,
    list: `${path}${toSearch(given.filter(([name]) => !paging.has(name)))}`,
    family: `${path}${toSearch(filters)}`,
    cursor: typeof updatedSince === 'string' ? updatedSince : undefined,
    isFiltered,
    isFull: !isFiltered && updatedSince === undefined && minStartDate === undefined,
    rows,
    total: page?.total ?? seenEnd,
    isRewritten: scenarios.some(({ name }) => rewriting.has(name)),
  }
}

const toSearch = (given: readonly (readonly [string, string | readonly string[]])[]): string => {
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Read once, since requests of unchanged data share their bodies. */
const rowsOfBodies = new WeakMap<ResponseBody, ReadonlyMap<number, JsonObject>>()

const readRows = (body: ResponseBody): ReadonlyMap<number, JsonObject> =>
  getOrCreate(rowsOfBodies, body, () => {
    const records = listShown(JSON.parse(new TextDecoder().decode(body.bytes))).filter(isObject)
    return new Map(
      records.flatMap((record) => (typeof record['id'] === 'number' ? [[record['id'], record]] : [])),
    )
  })

export const getOffset = ({ range }: Read): number => range?.offset ?? 0
export const getEnd = ({ range }: Read): number => range?.end ?? Infinity
