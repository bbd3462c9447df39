import { toSortable } from '../../contract/fields.ts'
import { isObject, type JsonObject, readShown } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'
import type { PageShown, ResponseBody } from '../../core/response.ts'
import { getContract } from '../../service/contract.ts'
import type { TableName } from '../../store/tables.ts'
import type { Delivery } from '../../testing/journal/deliveries.ts'
import { toTarget } from '../../testing/journal/recorded-request.ts'
import { nameEntry } from '../../testing/journal/view.ts'
import { parseQueryString, parseTarget } from '../../testing/request-target.ts'
import { readUpdatedDate } from './compare.ts'
import type { Past, State } from './past.ts'

const paging = new Set(['offset', 'limit'])

const cursors = new Set(['updatedSince', 'minStartDate'])

const rewriting = new Set(['new-enum-value', 'extra-field'])

/** A list as requests name it. */
interface ListName {
  /** Path and query without `offset` and `limit`, and without what the service does not know. */
  readonly target: string
  /** The same without the cursor, which is another one in each run. */
  readonly withoutCursor: string
  readonly isFiltered: boolean
}

/** An answered request. Its parameters, and what it has shown, are parsed when they are read. */
export class Read {
  readonly id: number
  readonly delivery: Delivery
  readonly table: TableName
  /** The data when it arrived, and as it has shown them. */
  readonly begin: State
  readonly state: State
  /** Kept, since the session may drop it meanwhile. */
  readonly #body: ResponseBody | undefined
  #list: ListName | undefined
  #parsed: { readonly path: JsonObject; readonly query: JsonObject } | null | undefined

  constructor(delivery: Delivery, past: Past) {
    this.id = delivery.id
    this.delivery = delivery
    this.table = delivery.endpoint.resource.table
    this.begin = past.find(delivery.arrived)
    this.state = past.find(delivery.moment)
    this.#body = delivery.judgedBody
  }

  get list(): ListName {
    if (this.#list) return this.#list
    const [path = '', search = ''] = toTarget(this.delivery.url).split('?')
    const isKnown = (name: string): boolean =>
      name.replace(/\[\d*\]$/, '') in this.delivery.endpoint.query.shape && !paging.has(name)
    const given = Object.entries(parseQueryString(search))
      .filter(([name]) => isKnown(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    const filters = given.filter(([name]) => !cursors.has(name))
    this.#list = {
      target: `${path}${toSearch(given)}`,
      withoutCursor: `${path}${toSearch(filters)}`,
      isFiltered: filters.some(([name, value]) => name !== 'scope' || value !== 'all'),
    }
    return this.#list
  }

  /** Whether the response has shown records; false if the request failed. */
  get isAnswered(): boolean {
    return this.#body !== undefined
  }

  /** Whether a scenario has changed the records in the response. */
  get isRewritten(): boolean {
    return this.delivery.scenarios.some(({ name }) => rewriting.has(name))
  }

  /** The parameters of the request, without the page if the service refuses that; undefined if it refuses more. */
  get address(): { readonly path: JsonObject; readonly query: JsonObject } | undefined {
    if (this.#parsed !== undefined) return this.#parsed ?? undefined
    const { endpoint, settings, url } = this.delivery
    const parse = (target: string) => parseTarget(getContract(settings), endpoint.method, target)
    const whole = parse(toTarget(url))
    const { path, query } = whole ?? parse(this.list.target) ?? {}
    const page = whole ? {} : { offset: undefined, limit: undefined }
    this.#parsed = query ? { path: isObject(path) ? path : {}, query: { ...query, ...page } } : null
    return this.#parsed ?? undefined
  }

  get cursor(): string | undefined {
    const updatedSince = this.address?.query['updatedSince']
    return typeof updatedSince === 'string' ? updatedSince : undefined
  }

  /** Reports whether its list has every record that its path covers. */
  get isFull(): boolean {
    const { updatedSince, minStartDate } = this.address?.query ?? {}
    return !this.list.isFiltered && updatedSince === undefined && minStartDate === undefined
  }

  /** The offsets of a page and of the next one, which is infinite for a list without pages; undefined for a single record. */
  get range(): { readonly offset: number; readonly end: number } | undefined {
    if (this.delivery.endpoint.returns === 'one') return undefined
    const { offset, limit } = this.#page ?? this.address?.query ?? {}
    if (typeof offset === 'number' && typeof limit === 'number') return { offset, end: offset + limit }
    // The service refuses the page, or its list has none.
    const [, asked = '0'] = /[?&]offset=(\d{1,15})(?:&|$)/.exec(this.delivery.url) ?? []
    return { offset: Number(asked), end: Infinity }
  }

  get #page(): PageShown | undefined {
    return this.#body && this.delivery.response?.page
  }

  get rows(): Shown['rows'] | undefined {
    return this.#body && readBody(this.#body).rows
  }

  /** Returns a record as the response has shown it. */
  getRow(id: number): JsonObject | undefined {
    return this.rows && getRecord(this.rows, id)
  }

  /** The newest `updatedDate` that the response has shown; empty if there is none. */
  get newestDate(): string {
    return this.#body ? readBody(this.#body).newestDate : ''
  }

  get total(): number | undefined {
    if (this.#page || !this.rows) return this.#page?.total
    // A list whose response does not count its records may show its end.
    const end = getOffset(this) + this.rows.size
    return end < getEnd(this) ? end : undefined
  }
}

const toSearch = (given: readonly (readonly [string, string | readonly string[]])[]): string => {
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

interface Shown {
  /** The record of each id, or its bytes, if the response shares them: a record takes several times their memory. */
  readonly rows: ReadonlyMap<number, JsonObject | Uint8Array>
  readonly newestDate: string
}

/** Read once, since requests of unchanged data share their bodies. */
const shownInBodies = new WeakMap<ResponseBody, Shown>()

const readText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function getRecord(rows: Shown['rows'], id: unknown): JsonObject | undefined {
  const row = typeof id === 'number' ? rows.get(id) : undefined
  return row instanceof Uint8Array ? JSON.parse(readText(row).replace(/,$/, '')) : row
}

const readBody = (body: ResponseBody): Shown =>
  getOrCreate(shownInBodies, body, () => {
    const { parts, rows: stored } = body
    const records = stored ?? readShown(JSON.parse(readText(body.bytes))).records
    const rows = new Map(
      records.flatMap((record, at) => {
        const { id } = record
        return typeof id === 'number' ? [[id, (stored && parts[at + 1]) || record]] : []
      }),
    )
    const dates = records.map(readUpdatedDate).map((date) => (date ? toSortable(date) : ''))
    const newest = records[dates.lastIndexOf(dates.toSorted().at(-1) ?? '')]
    return { rows, newestDate: readUpdatedDate(getRecord(rows, newest?.['id'])) ?? '' }
  })

export const getOffset = ({ range }: Read): number => range?.offset ?? 0
export const getEnd = ({ range }: Read): number => range?.end ?? Infinity

export const nameRequest = ({ delivery }: Read): string => nameEntry(delivery)

export const overlaps = ({ delivery: one }: Read, { delivery: other }: Read): boolean =>
  one.startedMs < other.endedMs && other.startedMs < one.endedMs
