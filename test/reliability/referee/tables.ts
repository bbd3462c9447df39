/** A repeatable source of chance. */
export class Dice {
  #state: number
  /** Whether clients and events are of all kinds, not only those of the first seeds. */
  readonly isWide: boolean

  constructor(seed: number, isWide = false) {
    this.#state = seed
    this.isWide = isWide
  }

  /** Rolls a number from 0 to below 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0
    let hash = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash
    return ((hash ^ (hash >>> 14)) >>> 0) / 4_294_967_296
  }

  chance = (part: number): boolean => this.roll() < part
  wideChance = (part: number): boolean => this.isWide && this.chance(part)
  below = (end: number): number => Math.floor(this.roll() * end)

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0]
  }
}

/** The paths of the lists. */
const paths = {
  customers: '/customers',
  signals: '/signals',
  meetings: '/customers/{customerId}/meetings',
  notes: '/customers/{customerId}/notes',
  briefContents: '/customers/{customerId}/briefs/{briefId}/contents',
  automations: '/automations',
  triggerLogs: '/automations/{automationId}/triggers/{triggerId}/logs',
  members: '/members',
  briefs: '/briefs',
} as const
export type Table = keyof typeof paths
export const tables = Object.keys(paths).filter((name): name is Table => name in paths)

/** The filters of a list; those that its path names, too. */
export type Filter = Readonly<Record<string, string>>

export const isOfCustomer = (table: Table): boolean => paths[table].includes('{customerId}')
export const hasPages = (table: Table): boolean => table !== 'automations' && table !== 'members'

/** Divides filters into the path of a list and its query. */
export function toPath(table: Table, filter: Filter): readonly [path: string, query: URLSearchParams] {
  const query = new URLSearchParams(filter)
  const path = paths[table].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name)
    return filter[name] ?? ''
  })
  return [path, query]
}

const onlyTriggers = (ids: readonly number[]) => Object.fromEntries(ids.map((id) => [id, [id * 10 + 1]]))

/** The automations that have triggers, each with those. */
const triggers = {
  ...onlyTriggers([1, 2, 3, 5, 6, 7, 8, 11, 12, 21, 22, 31, 41, 51, 52]),
  4: [41, 42],
  32: [321, 322],
}
const briefIds = ['1', '2', '3', '4']

/** Lists the filters of all lists of a table that paths name, for one customer if they are of customers. */
export function listPlaces(table: Table, customerId: number): readonly Filter[] {
  if (table === 'triggerLogs') {
    return Object.entries(triggers).flatMap(([automationId, ids]) =>
      ids.map((id) => ({ automationId, triggerId: `${id}` })),
    )
  }
  if (table === 'briefContents') return briefIds.map((briefId) => ({ customerId: `${customerId}`, briefId }))
  return [isOfCustomer(table) ? { customerId: `${customerId}` } : {}]
}

export interface ServiceRow {
  readonly id: number
  readonly updatedDate?: string | undefined
  readonly [field: string]: unknown
}

/** The rows of a service or a copy, by table and id. */
export type State = Readonly<Record<Table, ReadonlyMap<number, ServiceRow>>>

/** Makes something for each table. */
export const forEachTable = <V>(make: (table: Table) => V): Readonly<Record<Table, V>> =>
  Object.fromEntries(tables.map((table) => [table, make(table)])) as Record<Table, V>
