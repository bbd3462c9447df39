import { type Page, type Query, type Row, Service, StatusError, type Surroundings } from './service.ts'

/** How far a run reaches back before the last one: longer than lists lag. */
const OVERLAP_MS = 10 * 60_000

/** The rows of a list, and the service's time before the first of them was read. */
export interface Walk {
  readonly rows: readonly Row[]
  readonly startedAt: string
}

/** A sync of customers, signals and meetings that survives a sweep. */
export class SoundSync {
  readonly service: Service

  constructor(surroundings: Surroundings) {
    this.service = new Service(surroundings)
  }

  /** Reads what has changed since the last run; the first run reads everything. */
  async run(): Promise<void> {
    const { cursor } = this.service
    await this.sync(cursor === undefined ? undefined : this.reachBack(cursor))
  }

  /** Reads everything again, which finds what no cursor shows: deleted rows, and changes without a new `updatedDate`. */
  async full(): Promise<void> {
    await this.sync(undefined)
  }

  async sync(updatedSince: string | undefined): Promise<void> {
    const isFull = updatedSince === undefined
    const customers = await this.walk('/customers', isFull ? {} : { updatedSince })
    this.store('customers', customers.rows)
    if (isFull) await this.reconcile('customers', customers.rows, () => true, '/customers')
    // Signals cannot be filtered by time, so each run reads them all.
    const signals = await this.walk('/signals')
    this.store('signals', signals.rows)
    await this.reconcile('signals', signals.rows, () => true, '/signals')
    for (const { id } of customers.rows) await this.syncMeetings(id)
    // Last, so that a run that fails or is killed is repeated.
    this.service.cursor = this.chooseCursor(customers)
  }

  /** Reads the meetings of a customer, whose own `updatedDate` does not announce their changes. */
  async syncMeetings(customerId: number): Promise<void> {
    const path = `/customers/${customerId}/meetings`
    try {
      const { rows } = await this.walk(path)
      this.store('meetings', rows)
      await this.reconcile('meetings', rows, (row) => row['customerId'] === customerId, path)
    } catch (error) {
      if (!isGone(error)) throw error
      this.remove('customers', customerId)
    }
  }

  /** The next cursor is the time before the first request: what changes while a run reads comes with the next. */
  chooseCursor({ startedAt }: Walk): string {
    return startedAt
  }

  reachBack(cursor: string): string {
    return new Date(Date.parse(cursor) - OVERLAP_MS).toISOString()
  }

  /** Reads a list in pages that overlap by one row. If the overlap differs, rows have moved, and it starts again. */
  async walk(path: string, query: Query = {}): Promise<Walk> {
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const rows: Row[] = []
      let startedAt = ''
      for (;;) {
        const last = rows.at(-1)
        const page = await this.readPage(path, query, Math.max(0, rows.length - 1))
        if (last && page.items[0]?.id !== last.id) break
        if (!last) startedAt = page.date
        rows.push(...page.items.slice(last ? 1 : 0))
        if (page.items.length < this.service.limit) return { rows, startedAt }
      }
    }
    throw new Error(`${path} changes faster than it can be read`)
  }

  readPage(path: string, query: Query, offset: number): Promise<Page> {
    return this.retry(() => this.service.page(path, query, offset))
  }

  /** Tries three times, as late as the service wants, with a renewed token if it has expired; a record that is gone stays gone. */
  async retry<T>(send: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send()
      } catch (error) {
        if (attempt === 3 || isGone(error)) throw error
        this.service.renew(error)
        if (error instanceof StatusError) await wait(error.waitMs)
      }
    }
  }

  /** Stores rows, unless there is a newer version: lists may lag. */
  store(name: string, rows: readonly Row[]): void {
    const table = this.service.table(name)
    for (const row of rows) {
      const known = table.get(row.id)
      if (!known || known.updatedDate <= row.updatedDate) table.set(row.id, row)
    }
  }

  /** Looks for each row that a complete list lacks, and removes it if it is gone. */
  async reconcile(
    name: string,
    listed: readonly Row[],
    belongs: (row: Row) => boolean,
    path: string,
  ): Promise<void> {
    const ids = new Set(listed.map(({ id }) => id))
    for (const row of this.service.table(name).values()) {
      if (ids.has(row.id) || !belongs(row)) continue
      try {
        const found = await this.retry(() => this.service.one(`${path}/${row.id}`))
        const { transcript: _transcript, ...shown } = found
        this.store(name, [shown])
      } catch (error) {
        if (!isGone(error)) throw error
        this.remove(name, row.id)
      }
    }
  }

  /** Removes a row, and what belongs to a customer. */
  remove(name: string, id: number): void {
    this.service.table(name).delete(id)
    if (name !== 'customers') return
    const meetings = this.service.table('meetings')
    for (const row of meetings.values()) if (row['customerId'] === id) meetings.delete(row.id)
  }

  copy() {
    const { service } = this
    const list = (name: string) => [...service.table(name).values()]
    return { customers: list('customers'), signals: list('signals'), meetings: list('meetings') }
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const isGone = (error: unknown): boolean => error instanceof StatusError && error.status === 404
