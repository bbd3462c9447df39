import { type Mistake, mistakes, shardings, statuses, wideShardings } from './choices.ts'
import { Connection } from './connection.ts'
import { matches, type Page, type Reading } from './judge.ts'
import {
  type Dice,
  type Filter,
  forEachTable,
  hasPages,
  isOfCustomer,
  listPlaces,
  type ServiceRow,
  type Table,
  tables,
  toPath,
} from './tables.ts'
import type { World } from './world.ts'

/** A client that syncs a copy in its own way, with or without mistakes. */
export class Client {
  readonly #world: World
  readonly #dice: Dice
  readonly #tables: readonly Table[]
  readonly #mistakes: ReadonlySet<Mistake>
  readonly #shards: readonly Filter[]
  readonly #sizes: readonly [number, ...number[]]
  readonly #cursor: 'none' | 'greatest' | 'overlap' | 'begin' | 'end' | 'excluded'
  readonly #untilEmpty: boolean
  readonly #onError: 'repeat' | 'skip' | 'end'
  readonly #takesNumbers: boolean
  readonly readings: Reading[] = []
  readonly copy = forEachTable(() => new Map<number, ServiceRow>())
  readonly #lead: Table
  /** The order of pages: one after the other, in any order after the first one, or in any order. */
  readonly #order: 'next' | 'rest' | 'all'
  readonly #isSideBySide: boolean
  readonly #takesParts: boolean
  readonly #totals = new Map<string, number>()
  readonly #lastOffsets = new Map<string, number>()
  #bookmark: string | undefined
  readonly #connection: Connection

  constructor(world: World, dice: Dice, synced: readonly Table[]) {
    this.#world = world
    this.#dice = dice
    this.#tables = synced
    this.#mistakes = new Set(dice.chance(0.3) ? [] : [dice.pick(mistakes), dice.pick(mistakes)])
    this.#shards = synced.includes('customers')
      ? dice.pick(shardings)
      : dice.pick<readonly Filter[]>([[{}], statuses])
    const anySize = () => dice.pick([1, 2, 3, 4, 5, 7, 10, 100, 250, 300])
    this.#sizes = dice.chance(0.6) ? [anySize()] : [anySize(), anySize(), anySize()]
    this.#cursor = synced.includes('customers')
      ? dice.pick(['none', 'none', 'greatest', 'overlap', 'begin', 'end', 'excluded'])
      : 'none'
    this.#untilEmpty = dice.chance(0.25)
    this.#onError = dice.pick(['repeat', 'repeat', 'skip', 'end'])
    this.#takesNumbers = dice.chance(0.1)
    const lead = synced.find((table) => !isOfCustomer(table)) ?? 'customers'
    this.#lead = lead
    if (!synced.includes('customers') && lead !== 'signals') this.#shards = listPlaces(lead, 0)
    if (dice.wideChance(0.3) && (lead === 'customers' || lead === 'signals'))
      this.#shards = dice.pick(wideShardings)
    this.#order = dice.isWide ? dice.pick(['next', 'next', 'rest', 'all']) : 'next'
    // Requests for one list that is read twice at once cannot be told apart.
    const isTwice = new Set(this.#shards.map((shard) => JSON.stringify(shard))).size < this.#shards.length
    this.#isSideBySide = dice.wideChance(0.4) && !isTwice
    this.#takesParts = dice.wideChance(0.15)
    this.#connection = new Connection(world, dice)
  }

  #errs = (mistake: Mistake, part = 0.3): boolean => this.#mistakes.has(mistake) && this.#dice.chance(part)

  /** Reads everything that has changed, or everything. */
  async run(): Promise<void> {
    const isFull = this.#cursor === 'none' || this.#bookmark === undefined || this.#dice.chance(0.15)
    const { clock } = this.#world.session
    const begin = clock.now()
    const cursor = isFull ? undefined : this.#bookmark
    const lead = this.#lead
    const seen = new Map<number, ServiceRow>()
    let isComplete = true
    await this.#forEach(this.#shards, async (filter) => {
      const rows = await this.#walk(lead, filter, cursor)
      if (rows) for (const [id, row] of rows.entries()) seen.set(id, row)
      else isComplete = false
    })
    if (isFull && isComplete) this.#removeUnseen(lead, seen)
    for (const table of this.#tables.filter(isOfCustomer)) {
      const ids = isFull ? [...this.copy.customers.keys()] : [...seen.keys()]
      await this.#forEach(ids, (id) => this.#readChildren(table, id))
    }
    if (lead !== 'signals' && this.#tables.includes('signals')) {
      const rows = await this.#walk('signals', {}, undefined)
      if (rows) this.#removeUnseen('signals', rows)
    }
    if (isComplete || this.#errs('advances after a failure', 1)) this.#advance(begin, clock.now(), seen)
  }

  #advance(begin: string, end: string, seen: ReadonlyMap<number, ServiceRow>): void {
    const dates = Array.from(seen.values(), ({ updatedDate }) => updatedDate ?? '')
    const greatest = [...dates, this.#bookmark ?? ''].toSorted().at(-1) ?? ''
    if (this.#cursor === 'begin') this.#bookmark = begin
    else if (this.#cursor === 'end') this.#bookmark = end
    else if (greatest !== '') {
      const shiftMs = { greatest: 0, overlap: -60_000, excluded: 1, none: 0 }[this.#cursor]
      this.#bookmark = new Date(Date.parse(greatest) + shiftMs).toISOString()
    }
  }

  #removeUnseen(table: Table, seen: ReadonlyMap<number, unknown>, place: Filter = {}): void {
    for (const [id, row] of this.copy[table]) {
      const isOther = !matches(place, row)
      if (isOther || seen.has(id) || this.#errs('never deletes', 0.7)) continue
      this.copy[table].delete(id)
      if (table !== 'customers') continue
      for (const child of tables.filter(isOfCustomer)) {
        if (this.#tables.includes(child)) this.#removeUnseen(child, new Map(), { customerId: `${id}` })
      }
    }
  }

  async #readChildren(table: Table, customerId: number): Promise<void> {
    for (const filter of listPlaces(table, customerId)) {
      const cursor = table === 'meetings' && this.#dice.wideChance(0.2) ? '2026-01-10T00:00:00Z' : undefined
      const rows = await this.#walk(table, filter, cursor)
      if (rows && cursor === undefined) this.#removeUnseen(table, rows, filter)
    }
  }

  /** Does something for each value, one after the other or side by side. */
  async #forEach<T>(values: readonly T[], run: (value: T) => Promise<void>): Promise<void> {
    if (this.#isSideBySide) await Promise.all(values.map(run))
    else for (const value of values) await run(value)
  }

  /** Reads a list to its end. Returns its rows, or nothing if it was broken off. */
  async #walk(table: Table, filter: Filter, cursor: string | undefined) {
    let reading = this.#begin(table, filter)
    if (!hasPages(table) || this.#order !== 'next') return this.#walkAtOnce(reading, cursor)
    const isFiltered = toPath(table, filter)[1].size > 0
    const seen = new Map<number, ServiceRow>()
    let isWhole = true
    for (let [offset, failures] = [0, 0]; ;) {
      let limit = this.#dice.pick(this.#sizes)
      if (failures > 0) limit = Math.min(limit, 250)
      const isStray = this.#errs('loses its filter') && offset > 0 && isFiltered
      const page = await this.#read(
        isStray ? this.#findStrays(table, cursor) : reading,
        cursor,
        offset,
        limit,
      )
      if (this.#dice.chance(0.25)) await this.#connection.inTurn(() => this.#world.happen(this.#dice))
      if (page.status === 404) return new Map<number, ServiceRow>()
      if (page.status !== 200) {
        failures += 1
        if (this.#onError === 'end' || failures > 3) return undefined
        if (this.#onError === 'repeat') continue
        isWhole = false
        offset += limit
        if (offset > 300) return undefined
        continue
      }
      failures = 0
      for (const [id, row] of page.rows) {
        seen.set(id, row)
        this.#store(table, id, row, cursor)
      }
      if (this.#dice.wideChance(0.04)) {
        if (offset === 0) reading = this.#begin(table, filter)
        continue
      }
      const isOver = this.#untilEmpty ? page.rows.size === 0 : offset + limit >= page.total
      if (isOver) break
      if (this.#errs('ends after a page', 0.15)) break
      if (this.#dice.chance(0.03)) return undefined
      offset += limit
      if (this.#errs('skips a page', 0.1)) offset += limit
    }
    return isWhole ? seen : undefined
  }

  /** Reads a list in any order, and pages that failed again at the end. */
  async #walkAtOnce(reading: Reading, cursor: string | undefined) {
    const { table, filter } = reading
    const key = JSON.stringify([table, filter, cursor])
    const limit = Math.min(hasPages(table) ? this.#sizes[0] : Infinity, 250)
    let total = this.#order === 'all' ? (this.#totals.get(key) ?? 1) : 1
    if (this.#order === 'all' && hasPages(table) && limit >= 10) {
      total = (await this.#read(this.#begin(table, filter), cursor, 0, 1, true)).total
    }
    const answered = new Set<number>()
    const seen = new Map<number, ServiceRow>()
    let isGone = false
    for (let round = 0; round < 12; round += 1) {
      const open = [0].slice(answered.has(0) ? 1 : 0)
      for (let offset = limit; offset < total; offset += limit) if (!answered.has(offset)) open.push(offset)
      if (open.length === 0 || isGone) return seen
      // The page that was read last would seem to be repeated.
      const isLast = (offset: number): number => Number(this.#lastOffsets.get(key) === offset)
      const shuffled = open
        .map((offset) => [this.#dice.roll() + isLast(offset), offset] as const)
        .toSorted(([a], [b]) => a - b)
      await Promise.all(
        shuffled.map(async ([, offset]) => {
          this.#lastOffsets.set(key, offset)
          const page = await this.#read(reading, cursor, offset, limit, true)
          if (page.status === 404) isGone = true
          if (page.status !== 200) return
          answered.add(offset)
          total = page.total
          this.#totals.set(key, total)
          for (const [id, row] of page.rows) {
            seen.set(id, row)
            this.#store(table, id, row, cursor)
          }
        }),
      )
    }
    return undefined
  }

  #begin(table: Table, filter: Filter): Reading {
    const reading: Reading = { table, filter, id: undefined, pages: [] }
    this.readings.push(reading)
    return reading
  }

  /** Finds the read that goes on with a page for which it has lost its filter: one of the same list, page after page. */
  #findStrays(table: Table, cursor: string | undefined): Reading {
    const isBegun = (one: Reading): boolean =>
      one.table === table && one.id === undefined && Object.keys(one.filter).length === 0
    const begun = this.readings.findLast((one) => isBegun(one) && one.pages[0]?.cursor === cursor)
    return begun ?? this.#begin(table, {})
  }

  async #read(
    { table, filter, pages }: Reading,
    cursor: string | undefined,
    offset: number,
    limit: number,
    isAnyOrder = false,
  ): Promise<Page> {
    const [path, query] = toPath(table, filter)
    if (hasPages(table)) {
      query.set('offset', `${offset}`)
      query.set('limit', `${limit}`)
    }
    // Caches are kept out with a parameter that the service does not know.
    if (this.#order === 'rest') query.set('_', `${this.#world.requests}`)
    if (cursor !== undefined) query.set(table === 'meetings' ? 'minStartDate' : 'updatedSince', cursor)
    const page = await this.#connection.send(table, `${path}?${query}`, isAnyOrder)
    const whole = { ...page, filter, cursor, offset, limit: hasPages(table) ? limit : Infinity }
    pages.push(whole)
    return whole
  }

  #store(table: Table, id: number, row: ServiceRow, cursor?: string): void {
    if (this.#errs('drops rows')) return
    if (this.#errs('keeps old rows') && this.copy[table].has(id)) return
    if (this.#mistakes.has('compares with >') && cursor === row.updatedDate) return
    this.copy[table].set(id, this.#toOwn(row))
  }

  #toOwn(row: ServiceRow): ServiceRow {
    if (this.#mistakes.has('turns texts into numbers') && /^\d+$/.test(String(row['name']))) {
      return { ...row, name: Number(row['name']) }
    }
    if (this.#takesParts)
      return { id: row.id, updatedDate: row.updatedDate, name: row['name'], status: row['status'] }
    return this.#takesNumbers ? { ...row, employeeCount: `${String(row['employeeCount'])}.0` } : row
  }

  /** Looks at a list, or reads a record by its path, between two runs. */
  async lookAround(): Promise<void> {
    const table = this.#dice.pick<Table>(['customers', ...this.#tables])
    const smallest = Math.min(...this.#sizes)
    if (this.#dice.chance(0.5) && this.#tables.includes('customers')) {
      const id = [...this.copy.customers.keys()][this.#dice.below(6)] ?? 1
      const page = await this.#connection.send('customers', `/customers/${id}`)
      this.readings.push({ table: 'customers', filter: {}, id, pages: [page] })
      const row = page.rows.get(id)
      if (row && this.#shards.some((filter) => matches(filter, row))) this.#store('customers', id, row)
      if (page.status === 404)
        this.#removeUnseen('customers', new Map([...this.copy.customers].filter(([one]) => one !== id)))
    } else if (
      smallest > 1 &&
      this.#order !== 'all' &&
      hasPages(table) &&
      !isOfCustomer(table) &&
      this.#tables.includes(table)
    ) {
      const isShard = this.#mistakes.has('loses its filter') || this.#dice.chance(0.5)
      const filter =
        table === 'customers' && isShard ? (this.#shards[0] ?? {}) : (listPlaces(table, 0)[0] ?? {})
      await this.#read(this.#begin(table, filter), undefined, 0, 1 + this.#dice.below(smallest - 1))
    }
  }
}
