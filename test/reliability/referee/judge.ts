import type { Verdict } from '../../../src/index.ts'
import { type Filter, isOfCustomer, type ServiceRow, type State, type Table, tables } from './tables.ts'

/** A page that a client has asked for. */
export interface Page {
  readonly request: number
  readonly table: Table
  readonly filter: Filter
  readonly cursor: string | undefined
  readonly offset: number
  readonly limit: number
  readonly status: number
  /** The index of the state in which it was asked for. */
  readonly at: number
  readonly rows: ReadonlyMap<number, ServiceRow>
  readonly total: number
}

/** A list, or a record by its path, that a client has begun to read. */
export interface Reading {
  readonly table: Table
  readonly filter: Filter
  readonly id: number | undefined
  readonly pages: Page[]
}

export type Kind = 'right' | 'pending' | 'missed' | 'stale' | 'ghosts'

const INSTANT = /^\d{4}-\d\d-\d\dT/

/** Compares two values in the type of the service's. */
function isSame(copied: unknown, value: unknown): boolean {
  if (copied === undefined) return true
  if (typeof value === 'number') return copied !== '' && copied !== null && Number(copied) === value
  if (typeof value === 'string' && INSTANT.test(value) && typeof copied === 'string') {
    return copied === value || Date.parse(copied) === Date.parse(value)
  }
  return JSON.stringify(copied) === JSON.stringify(value)
}

const isVersion = (copied: ServiceRow | undefined, row: ServiceRow | undefined): boolean =>
  copied === undefined || row === undefined
    ? copied === row
    : Object.keys(row).every((field) => isSame(copied[field], row[field]))

function isAssigned({ memberRoles }: ServiceRow, memberId: string): boolean {
  const roles = Array.isArray(memberRoles) ? memberRoles : []
  return roles.some(({ members }: { members: { id: number }[] }) =>
    members.some(({ id }) => `${id}` === memberId),
  )
}

/** Reports whether a list has a row. */
export function matches(filter: Filter, row: ServiceRow): boolean {
  return Object.entries(filter).every(([name, value]) => {
    if (name === 'scope') return Array.isArray(row['scopes']) && row['scopes'].includes(value)
    return name === 'memberId' ? isAssigned(row, value) : String(row[name]) === value
  })
}

const name = ({ table, filter, id }: Reading): string => JSON.stringify([table, filter, id])

/** Reports whether two pages of a list leave no row between them. */
const meet = (one: Page, other: Page): boolean =>
  one !== other && one.offset <= other.offset + other.limit && other.offset <= one.offset + one.limit

/** Knows every version of every row, every page, and when each run began. */
export class Judge {
  readonly #states: readonly State[]
  readonly #readings: readonly Reading[]
  readonly #pages: ReadonlyMap<number, Page>
  readonly #copy: State
  readonly #hasForgotten: boolean

  /** @param forgotten the number of the first requests that are not known any more */
  constructor(states: readonly State[], all: readonly Reading[], copy: State, forgotten: number) {
    this.#states = states
    this.#copy = copy
    this.#hasForgotten = forgotten > 0
    const readings = all.map((reading) => {
      return { ...reading, pages: reading.pages.filter(({ request }) => request > forgotten) }
    })
    this.#pages = new Map(readings.flatMap(({ pages }) => pages.map((page) => [page.request, page])))
    const known = readings.filter(({ pages }) => pages.some(({ status }) => status !== 401))
    this.#readings = known.filter((reading) => !this.#isLook(reading, known))
  }

  /** A look: a page that is not the whole list, without a cursor, smaller than those of walks, and left alone. */
  #isLook({ table, pages, id }: Reading, readings: readonly Reading[]): boolean {
    const page = pages.find(({ status }) => status === 200)
    if (id !== undefined || !page || pages.length > 1 || page.cursor !== undefined) return false
    if (this.#isWhole(page)) return false
    const sizes = readings.flatMap((walk) => {
      const answered = walk.pages.filter(({ status }) => status === 200)
      const isWalk =
        answered.some((one) => this.#isWhole(one)) || answered.some(({ cursor }) => cursor !== undefined)
      const walked = answered.filter((one) => isWalk || answered.some((other) => meet(one, other)))
      return walk.table === table && walk.id === undefined ? walked.map(({ limit }) => limit) : []
    })
    if (sizes.length === 0 || page.limit >= Math.min(...sizes)) return false
    const earlier = [...this.#pages.values()].filter(
      (one) => one.table === table && one.request < page.request,
    )
    return ![...page.rows].some(([row, shown]) => {
      const copied = this.#copy[table].get(row)
      return (
        copied !== undefined &&
        isVersion(copied, shown) &&
        !earlier.some(({ rows }) => isVersion(copied, rows.get(row)))
      )
    })
  }

  /** Reports whether a page is the whole list, whatever its total says. */
  #isWhole({ table, filter, at, offset, limit }: Page): boolean {
    const rows = [...(this.#states[at]?.[table].values() ?? [])]
    return offset === 0 && limit >= rows.filter((row) => matches(filter, row)).length
  }

  /** Reports whether what a client has begun to read has a row in a state. */
  #has({ table, filter, id: only }: Reading, of: Table, id: number, at: number): boolean {
    const state = this.#states[at]
    const row = state?.[of].get(id)
    if (!state || !row) return false
    if (of !== table) {
      const customer = state.customers.get(Number(row['customerId']))
      return customer !== undefined && only === undefined && matches(filter, customer)
    }
    return only === undefined ? matches(filter, row) : only === id
  }

  /** Finds the state from which on a client had its chance to see a row as it is. */
  #findChance(table: Table, id: number): number {
    const isOwn = (one: Reading): boolean => one.table === table
    const isRequested = isOfCustomer(table) && this.#readings.some(isOwn)
    const own = this.#readings.filter((one) => isOwn(one) || (isRequested && one.table === 'customers'))
    const lists = [...new Map(own.map((one) => [name(one), one])).values()]
    const chances = own.flatMap((reading) => {
      const known = reading.pages.filter(({ status }) => status !== 401)
      const at = (known.find(({ status, offset }) => status === 200 || offset > 0) ?? known.at(-1))?.at ?? 0
      if (reading.id !== undefined) return reading.id === id && reading.table === table ? [at] : []
      if (this.#has(reading, table, id, at)) return [at]
      if (lists.some((list) => list.id === undefined && this.#has(list, table, id, at))) return []
      return this.#states.some((_, other) => this.#has(reading, table, id, other)) ? [at] : []
    })
    return chances.length > 0 ? Math.max(...chances) : this.#states.length - 1
  }

  #judge(table: Table, id: number): Kind {
    const copied = this.#copy[table].get(id)
    if (isVersion(copied, this.#states.at(-1)?.[table].get(id))) return 'right'
    const versions = this.#states.slice(this.#findChance(table, id)).map((state) => state[table].get(id))
    if (versions.some((row) => isVersion(copied, row))) return 'pending'
    if (!copied) return 'missed'
    return versions.some((row) => row !== undefined) ? 'stale' : 'ghosts'
  }

  /** Lists everything that is not right. */
  judgeAll(table: Table): Map<number, Kind> {
    const ids = new Set([...this.#copy[table].keys(), ...(this.#states.at(-1)?.[table].keys() ?? [])])
    const kinds = [...ids].map((id) => [id, this.#judge(table, id)] as const)
    return new Map(kinds.filter(([, kind]) => kind !== 'right'))
  }

  /** Explains why the reason of an entry cannot be true; undefined if it can. */
  refute({ collection, id, reason, requests, text }: Verdict['missed'][number]): string | undefined {
    const table = tables.find((one) => one === collection) ?? 'customers'
    const pages = requests.flatMap((request) => this.#pages.get(request) ?? [])
    const truth = this.#states.at(-1)?.[table].get(id)
    const shown = pages.filter(({ rows, table: of }) => of === table && rows.has(id))
    const isOwn = pages.every((page) => page.table === table)
    switch (reason) {
      case 'delivered_not_stored':
        return shown.length === 0 ? 'no named request has delivered it' : undefined
      case 'fault_not_retried':
        return pages.every(({ status }) => status === 200) ? 'the named requests were answered' : undefined
      case 'never_requested':
        return requests.length === 0 && truth && this.#isDelivered(table, id, truth)
          ? 'it was delivered as it is'
          : undefined
      case 'unread_tail':
      case 'page_drift':
        return isOwn && shown.some(({ rows }) => isVersion(rows.get(id), truth))
          ? 'it was shown as it is'
          : undefined
      case 'deleted_unseen':
        return truth ? 'it is not deleted' : undefined
      case 'silent_change':
        return this.#hasSilentChange(table, id) ||
          this.#hasSilentChange('customers', this.#findCustomer(table, id))
          ? undefined
          : 'each of its changes has a new updatedDate'
      case 'tie_at_cursor':
      case 'cursor_past_change':
        return pages.some(({ cursor }) => cursor !== undefined) ? undefined : 'no named request has a cursor'
      case 'unknown':
        if (this.#hasForgotten && requests.length === 0) {
          const wasThere = this.#states.some((state) => state[table].has(id))
          return wasThere && text.includes('never had') ? 'the service has had it' : undefined
        }
        return this.#states.some((state) => state[table].has(id))
          ? 'the pages tell more than that'
          : undefined
      case 'child_only_change':
        return isOwn && pages.some((page) => this.#changesAlone(table, id, page))
          ? undefined
          : 'its customer has changed, too'
      case 'late_visible':
        return pages.some((page) => this.#lags(page, table, id)) ||
          pages.some((page) => this.#lags(page, 'customers', this.#findCustomer(table, id))) ||
          pages.some(({ cursor }) => cursor !== undefined)
          ? undefined
          : 'each named request has shown it as it was'
      case 'older_overwrote_newer': {
        const copied = this.#copy[table].get(id)
        const [newer, older] = shown.map(({ rows }) => rows.get(id))
        return isVersion(copied, older) && !isVersion(copied, newer)
          ? undefined
          : 'the copy has no older version'
      }
      default:
        return undefined
    }
  }

  /** Reports whether a page has delivered a row as it is, and since it was last gone. */
  #isDelivered(table: Table, id: number, row: ServiceRow): boolean {
    const gone = this.#states.findLastIndex((state) => !state[table].has(id))
    return [...this.#pages.values()].some(
      (page) => page.table === table && page.at > gone && isVersion(page.rows.get(id), row),
    )
  }

  #findCustomer(table: Table, id: number): number {
    const row = this.#states.findLast((state) => state[table].has(id))?.[table].get(id)
    return table === 'customers' ? id : Number(row?.['customerId'])
  }

  /** Reports whether a row has changed since a page of a customer's list, at a time at which the customer had not. */
  #changesAlone(table: Table, id: number, { at: since, filter }: Page): boolean {
    return this.#states.slice(since + 1).some((state, at) => {
      const before = this.#states[since + at]
      const dates = [before, state].map(
        (one) => one?.customers.get(Number(filter['customerId']))?.updatedDate,
      )
      return dates[0] === dates[1] && !isVersion(before?.[table].get(id), state[table].get(id))
    })
  }

  /** Reports whether a page has shown a row, or has not, unlike it was when it was asked for. */
  #lags({ table: of, at, rows }: Page, table: Table, id: number): boolean {
    const row = this.#states[at]?.[table].get(id)
    return of === table && !isVersion(rows.get(id), row)
  }

  #hasSilentChange(table: Table, id: number): boolean {
    const rows = this.#states.flatMap((state) => state[table].get(id) ?? [])
    return rows.some((row, at) => {
      const before = rows[at - 1]
      return before?.updatedDate === row.updatedDate && !isVersion(before, row)
    })
  }
}
