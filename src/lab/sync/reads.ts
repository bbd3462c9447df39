import { parseQueryString } from '../../contract/query.ts'
import { isObject, type JsonObject, listShown } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'
import type { ResponseBody } from '../../core/response.ts'
import { getContract, parseTarget } from '../../service/contract.ts'
import type { TableName } from '../../store/tables.ts'
import type { Delivery } from '../../testing/journal/deliveries.ts'
import { toTarget } from '../../testing/journal/entry.ts'
import type { Past, State } from './past.ts'

const paging = new Set(['offset', 'limit'])

const cursors = new Set(['updatedSince', 'minStartDate'])

const rewriting = new Set(['new-enum-value', 'extra-field'])

/** An answered request. What it has shown is parsed when it is read. */
export class Read {
  readonly id: number
  readonly delivery: Delivery
  readonly table: TableName
  readonly state: State
  /** Path and query without `offset` and `limit`. */
  readonly list: string
  /** The list without its cursor, which is another one in each run. */
  readonly family: string
  readonly isFiltered: boolean
  /** Whether the response has shown records; false if the request failed. */
  readonly isAnswered: boolean
  /** Whether a scenario has changed the records in the response. */
  readonly isRewritten: boolean
  #parsed: { readonly path: JsonObject; readonly query: JsonObject } | null | undefined

  constructor(delivery: Delivery, past: Past) {
    const { id, endpoint, url, body, scenarios, seen } = delivery
    const [path = '', search = ''] = toTarget(url).split('?')
    const given = Object.entries(parseQueryString(search)).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const filters = given.filter(([name]) => !paging.has(name) && !cursors.has(name))
    this.id = id
    this.delivery = delivery
    this.table = endpoint.resource.table
    this.state = past.find(seen)
    this.list = `${path}${toSearch(given.filter(([name]) => !paging.has(name)))}`
    this.family = `${path}${toSearch(filters)}`
    this.isFiltered = filters.some(([name, value]) => name !== 'scope' || value !== 'all')
    this.isAnswered = body !== undefined
    this.isRewritten = scenarios.some(({ name }) => rewriting.has(name))
  }

  /** The parameters of the request; undefined if the service refuses them. */
  get address(): { readonly path: JsonObject; readonly query: JsonObject } | undefined {
    if (this.#parsed !== undefined) return this.#parsed ?? undefined
    const { endpoint, settings, url } = this.delivery
    const { path, query } = parseTarget(getContract(settings), endpoint.method, toTarget(url)) ?? {}
    this.#parsed = query ? { path: isObject(path) ? path : {}, query } : null
    return this.#parsed ?? undefined
  }

  get cursor(): string | undefined {
    const updatedSince = this.address?.query['updatedSince']
    return typeof updatedSince === 'string' ? updatedSince : undefined
  }

  /** Reports whether its list has every record that its path covers. */
  get isFull(): boolean {
    const { updatedSince, minStartDate } = this.address?.query ?? {}
    return !this.isFiltered && updatedSince === undefined && minStartDate === undefined
  }

  /** The offsets of a page and of the next one, which is infinite for a list without pages; undefined for a single record. */
  get range(): { readonly offset: number; readonly end: number } | undefined {
    if (this.delivery.endpoint.returns === 'one') return undefined
    const { offset, limit } = this.delivery.page ?? this.address?.query ?? {}
    const isPage = typeof offset === 'number' && typeof limit === 'number'
    return isPage ? { offset, end: offset + limit } : { offset: 0, end: Infinity }
  }

  get rows(): ReadonlyMap<number, JsonObject> | undefined {
    return this.delivery.body && readRows(this.delivery.body)
  }

  get total(): number | undefined {
    const { page, body } = this.delivery
    if (page || !body) return page?.total
    // A list whose response does not count its records may show its end.
    const end = getOffset(this) + readRows(body).size
    return end < getEnd(this) ? end : undefined
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
