import { parseQueryString } from '../../contract/query.ts'
import { isObject, type JsonObject, listShown } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'
import type { ResponseBody } from '../../core/response.ts'
import { getContract, parseTarget } from '../../service/contract.ts'
import type { TableName, Row } from '../../store/tables.ts'
import type { Delivery } from '../../testing/journal/deliveries.ts'
import { toTarget } from '../../testing/journal/entry.ts'
import type { History, State } from './history.ts'

export interface Read {
  readonly id: number
  readonly delivery: Delivery
  readonly table: TableName
  readonly state: State
  readonly address: { readonly path: unknown; readonly query: JsonObject } | undefined
  /** The offsets of a page and of the next one, which is infinite for a list without pages; undefined for a single record. */
  readonly range: { readonly offset: number; readonly end: number } | undefined
  readonly list: string
  readonly family: string
  readonly cursor: string | undefined
  readonly isFiltered: boolean
  readonly rows: ReadonlyMap<number, JsonObject> | undefined
  readonly total: number | undefined
  readonly isRewritten: boolean
}

const paging = new Set(['offset', 'limit'])

const cursors = new Set(['updatedSince', 'minStartDate'])

const rewriting = new Set(['new-enum-value', 'extra-field'])

export function createRead(delivery: Delivery, history: History): Read {
  const { id, endpoint, url, page, body, scenarios, settings } = delivery
  const target = toTarget(url)
  const [path = '', search = ''] = target.split('?')
  const given = Object.entries(parseQueryString(search)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const address = parseTarget(getContract(settings), endpoint.method, target)
  const query = address?.query ?? {}
  const filters = given.filter(([name]) => !paging.has(name) && !cursors.has(name))
  const narrowing = filters.filter(([name, value]) => name !== 'scope' || value !== 'all')
  const rows = body && readRows(body)
  const { offset, end } = getRange(query)
  const { updatedSince } = query
  return {
    id,
    delivery,
    table: endpoint.resource.table,
    state: history.find(delivery.seen),
    address,
    range: endpoint.returns === 'one' ? undefined : { offset, end },
    list: `${path}${toSearch(given.filter(([name]) => !paging.has(name)))}`,
    family: `${path}${toSearch(filters)}`,
    cursor: typeof updatedSince === 'string' ? updatedSince : undefined,
    isFiltered: narrowing.length > 0 || query['minStartDate'] !== undefined,
    rows,
    // A list whose response does not count its records may show its end.
    total: page?.total ?? (rows && offset + rows.size < end ? offset + rows.size : undefined),
    isRewritten: scenarios.some(({ name }) => rewriting.has(name)),
  }
}

const toSearch = (given: readonly (readonly [string, string | readonly string[]])[]): string => {
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function getRange({ offset, limit }: JsonObject): NonNullable<Read['range']> {
  if (typeof offset !== 'number' || typeof limit !== 'number') return { offset: 0, end: Infinity }
  return { offset, end: offset + limit }
}

function readRows({ bytes }: ResponseBody): ReadonlyMap<number, JsonObject> {
  const records = listShown(JSON.parse(new TextDecoder().decode(bytes))).filter(isObject)
  return new Map(
    records.flatMap((record) => (typeof record['id'] === 'number' ? [[record['id'], record]] : [])),
  )
}

/** The places of the records in a list, by their ids. Order: as in the list. */
export type Places = ReadonlyMap<number, number>

export class Lists {
  readonly #caller: Row<'members'>
  readonly #places = new Map<string, Places>()

  constructor(caller: Row<'members'>) {
    this.#caller = caller
  }

  find(read: Read, state: State = read.state, { withoutCursor = false } = {}): Places {
    const key = `${state.index} ${withoutCursor ? read.family : read.list}`
    const create = () => new Map(this.#list(read, state, withoutCursor).map((id, place) => [id, place]))
    return getOrCreate(this.#places, key, create)
  }

  #list({ delivery, address }: Read, { data, at }: State, withoutCursor: boolean): readonly number[] {
    if (!address) return []
    const { endpoint, settings } = delivery
    const caller = data.get('members', this.#caller.id) ?? this.#caller
    const { path } = address
    const query = withoutCursor
      ? { ...address.query, updatedSince: undefined, minStartDate: undefined }
      : address.query
    const record = endpoint.find?.({ path, caller, data, settings })
    if (endpoint.find && !record) return []
    const call = { path, query, body: undefined, record, caller, data, settings }
    const result = endpoint.handle({ ...call, now: () => at })
    if ('make' in result) return []
    return 'page' in result ? result.page().map(({ id }) => id) : [result.id]
  }
}
