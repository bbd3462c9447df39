import type { Filter, Page, Reading } from './judge.ts'
import { matches } from './judge.ts'
import type { Dice, ServiceRow, Table, World } from './world.ts'

const shardings: readonly [readonly Filter[], ...(readonly Filter[])[]] = [
  [{}],
  [{}],
  [{}],
  ['SMB', 'Enterprise', 'Startup', 'Mid-Market'].map((segment) => ({ segment })),
  ['SMB', 'Enterprise', 'Startup'].map((segment) => ({ segment })),
  ['Germany', 'United Kingdom', 'United States', 'Canada', 'Brazil'].map((country) => ({ country })),
  ['England', 'Scotland', 'Saxony', 'Illinois'].map((region) => ({ region })),
  ['Bergen', 'Lisbon', 'London'].map((city) => ({ city })),
  ['1', '2', '3'].map((memberId) => ({ memberId })),
]
const statuses = ['open', 'inProgress', 'closed', 'dismissed'].map((status) => ({ status }))

/** Mistakes that a client may make, each at random. */
const mistakes = [
  'drops rows',
  'keeps old rows',
  'never deletes',
  'skips a page',
  'ends after a page',
  'loses its filter',
  'forgets to go on',
  'turns texts into numbers',
  'advances after a failure',
  'compares with >',
] as const
type Mistake = (typeof mistakes)[number]

const toPath = (table: Table, { customerId }: Filter): string =>
  table === 'meetings' ? `/customers/${customerId}/meetings` : `/${table}`

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
  readonly copy = { customers: createRows(), signals: createRows(), meetings: createRows() }
  #bookmark: string | undefined
  #request = 0

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
  }

  #errs = (mistake: Mistake, part = 0.3): boolean => this.#mistakes.has(mistake) && this.#dice.chance(part)

  /** Reads everything that has changed, or everything. */
  async run(): Promise<void> {
    const isFull = this.#cursor === 'none' || this.#bookmark === undefined || this.#dice.chance(0.15)
    const { clock } = this.#world.session
    const begin = clock.now()
    const cursor = isFull ? undefined : this.#bookmark
    const lead = this.#tables.includes('customers') ? 'customers' : 'signals'
    const seen = new Map<number, ServiceRow>()
    let isComplete = true
    for (const filter of this.#shards) {
      const rows = await this.#walk(lead, filter, cursor)
      if (rows) for (const [id, row] of rows.entries()) seen.set(id, row)
      else isComplete = false
    }
    if (isFull && isComplete) this.#removeUnseen(lead, seen)
    if (this.#tables.includes('meetings')) {
      for (const id of isFull ? [...this.copy.customers.keys()] : seen.keys()) await this.#readMeetings(id)
    }
    if (lead !== 'signals' && this.#tables.includes('signals')) {
      const rows = await this.#walk('signals', {}, undefined)
      if (rows) this.#removeUnseen('signals', rows)
    }
    if (isComplete || this.#errs('advances after a failure', 1)) this.#advance(begin, clock.now(), seen)
  }

  #advance(begin: string, end: string, seen: ReadonlyMap<number, ServiceRow>): void {
    const dates = Array.from(seen.values(), ({ updatedDate }) => updatedDate)
    const greatest = [...dates, this.#bookmark ?? ''].toSorted().at(-1) ?? ''
    if (this.#cursor === 'begin') this.#bookmark = begin
    else if (this.#cursor === 'end') this.#bookmark = end
    else if (greatest !== '') {
      const shiftMs = { greatest: 0, overlap: -60_000, excluded: 1, none: 0 }[this.#cursor]
      this.#bookmark = new Date(Date.parse(greatest) + shiftMs).toISOString()
    }
  }

  #removeUnseen(table: Table, seen: ReadonlyMap<number, unknown>, customerId?: number): void {
    for (const [id, row] of this.copy[table]) {
      const isOther = customerId !== undefined && row['customerId'] !== customerId
      if (isOther || seen.has(id) || this.#errs('never deletes', 0.7)) continue
      this.copy[table].delete(id)
      if (table === 'customers') this.#removeUnseen('meetings', new Map(), id)
    }
  }

  async #readMeetings(customerId: number): Promise<void> {
    const rows = await this.#walk('meetings', { customerId: `${customerId}` }, undefined)
    if (rows) this.#removeUnseen('meetings', rows, customerId)
  }

  /** Reads a list to its end. Returns its rows, or nothing if it was broken off. */
  async #walk(table: Table, filter: Filter, cursor: string | undefined) {
    const reading: Reading = { table, filter, id: undefined, pages: [] }
    this.readings.push(reading)
    const isFiltered = table !== 'meetings' && Object.keys(filter).length > 0
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
      if (this.#dice.chance(0.25)) await this.#world.happen(this.#dice)
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
      const isOver = this.#untilEmpty ? page.rows.size === 0 : offset + limit >= page.total
      if (isOver) break
      if (this.#errs('ends after a page', 0.15)) break
      if (this.#dice.chance(0.03)) return undefined
      offset += limit
      if (this.#errs('skips a page', 0.1)) offset += limit
    }
    return isWhole ? seen : undefined
  }

  /** Finds the read that goes on with a page for which it has lost its filter: one of the same list, page after page. */
  #findStrays(table: Table, cursor: string | undefined): Reading {
    const isBegun = (one: Reading): boolean =>
      one.table === table && one.id === undefined && Object.keys(one.filter).length === 0
    const begun = this.readings.findLast((one) => isBegun(one) && one.pages[0]?.cursor === cursor)
    const strays: Reading = begun ?? { table, filter: {}, id: undefined, pages: [] }
    if (!begun) this.readings.push(strays)
    return strays
  }

  async #read(
    { table, filter, pages }: Reading,
    cursor: string | undefined,
    offset: number,
    limit: number,
  ): Promise<Page> {
    const { customerId: _, ...given } = filter
    const query = new URLSearchParams({ ...given, offset: `${offset}`, limit: `${limit}` })
    if (cursor !== undefined) query.set('updatedSince', cursor)
    const page = await this.#send(table, `${toPath(table, filter)}?${query}`)
    const whole = { ...page, filter, cursor, offset, limit }
    pages.push(whole)
    return whole
  }

  async #send(table: Table, path: string): Promise<Page> {
    const at = this.#world.now
    const response = await this.#world.send(path)
    this.#request += 1
    const { status } = response
    const body = status === 200 ? await response.json() : {}
    const items: readonly ServiceRow[] = body.items ?? (body.id === undefined ? [] : [body])
    await this.#world.look()
    const rows = new Map(items.map((row) => [row.id, row]))
    const common = { request: this.#request, table, at, rows, status }
    return { ...common, filter: {}, cursor: undefined, offset: 0, limit: 1, total: body.totalCount ?? 1 }
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
    return this.#takesNumbers ? { ...row, employeeCount: `${String(row['employeeCount'])}.0` } : row
  }

  /** Looks at a list, or reads a record by its path, between two runs. */
  async lookAround(): Promise<void> {
    const table = this.#dice.pick<Table>(['customers', ...this.#tables])
    const smallest = Math.min(...this.#sizes)
    if (this.#dice.chance(0.5) && this.#tables.includes('customers')) {
      const id = [...this.copy.customers.keys()][this.#dice.below(6)] ?? 1
      const page = await this.#send('customers', `/customers/${id}`)
      this.readings.push({ table: 'customers', filter: {}, id, pages: [page] })
      const row = page.rows.get(id)
      if (row && this.#shards.some((filter) => matches(filter, row))) this.#store('customers', id, row)
      if (page.status === 404)
        this.#removeUnseen('customers', new Map([...this.copy.customers].filter(([one]) => one !== id)))
    } else if (smallest > 1 && table !== 'meetings' && this.#tables.includes(table)) {
      const isShard = this.#mistakes.has('loses its filter') || this.#dice.chance(0.5)
      const filter = table === 'customers' && isShard ? (this.#shards[0] ?? {}) : {}
      const reading: Reading = { table, filter, id: undefined, pages: [] }
      this.readings.push(reading)
      await this.#read(reading, undefined, 0, 1 + this.#dice.below(smallest - 1))
    }
  }
}

const createRows = (): Map<number, ServiceRow> => new Map()
