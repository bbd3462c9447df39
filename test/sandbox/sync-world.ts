import { createSandbox, type SessionHandle } from '../../src/index.ts'
import type { Step, Table } from './sync-steps.ts'

const sandbox = await createSandbox({ size: 12, future: 'living' })
const headers = { authorization: 'Bearer sbx_harbor_1' }
const base = '/v1/organizations/harbor'

/** Rows as the service sends them, each as JSON, by id. */
type Bytes = ReadonlyMap<number, string>

interface SyncedRow {
  readonly id: number
  readonly updatedDate: string
}

type Data = SessionHandle['data']

/** Changes a text of a row, with or without a new date. */
const edits: Readonly<Record<Table, (data: Data, id: number, isSilent: boolean) => Promise<unknown>>> = {
  customers: async ({ customers }, id, isSilent) => {
    const { city, updatedDate } = await customers.get(id)
    return customers.patch(id, { city: `${city}!`, ...(isSilent && { updatedDate }) })
  },
  signals: async ({ signals }, id, isSilent) => {
    const { summary, updatedDate } = await signals.get(id)
    return signals.patch(id, { summary: `${summary}!`, ...(isSilent && { updatedDate }) })
  },
  meetings: async ({ meetings }, id, isSilent) => {
    const { topic, updatedDate } = await meetings.get(id)
    return meetings.patch(id, { topic: `${topic}!`, ...(isSilent && { updatedDate }) })
  },
}

/** The operations that list each collection. */
export const operationIds = {
  customers: 'listCustomers',
  signals: 'listSignals',
  meetings: 'listCustomerMeetings',
} as const

/** A walk through a list, page by page. */
interface Walk {
  readonly path: string
  readonly cursor: string | undefined
  offset: number
  hasFirst: boolean
}

const ignore = (): undefined => undefined

/** The rows that begin each collection, of the first three customers if they have customers. */
const first = await (async () => {
  const { customers, signals, meetings } = sandbox.session().data
  const { items } = await meetings.list({ limit: 1_000 })
  return {
    customers: (await customers.list({ limit: 12 })).items.map(({ id }) => id),
    signals: (await signals.list({ limit: 12 })).items.map(({ id }) => id),
    meetings: items.flatMap(({ id, customerId }) => (customerId <= 3 ? [id] : [])).slice(0, 12),
  }
})()

/** Every state of some collections since the last run began, of which there is none before the first. */
class Window {
  states: Readonly<Record<Table, Bytes>>[] = []
  last: Walk | undefined
}

/** A client that does what the steps say, and the states of the service since its last run began. */
export class World {
  readonly session: SessionHandle = sandbox.session()
  readonly #mirror = sandbox.session()
  readonly copy = { customers: createCopy(), signals: createCopy(), meetings: createCopy() }
  readonly #ofCustomers = new Window()
  /** Meetings are read in the runs of the list of customers. */
  readonly windows = { customers: this.#ofCustomers, signals: new Window(), meetings: this.#ofCustomers }
  readonly #walks: Partial<Record<Table, Walk>> = {}
  #created = 900
  #renamed = 0

  /** Reads all lists as they are, without scenarios, in another session. */
  async look(): Promise<Readonly<Record<Table, Bytes>>> {
    this.#mirror.restore(this.session.snapshot())
    this.#mirror.scenarios.clear()
    this.#mirror.faults.clear()
    this.#mirror.clock.tick(undefined)
    const read = async (path: string): Promise<Bytes> => {
      const response = await this.#mirror.fetch(`${base}${path}?limit=250`, { headers })
      const { items }: { readonly items: readonly SyncedRow[] } = await response.json()
      return new Map(items.map((item) => [item.id, JSON.stringify(item)]))
    }
    const customers = await read('/customers')
    const meetings = new Map<number, string>()
    for (const id of customers.keys()) {
      for (const [meeting, bytes] of await read(`/customers/${id}/meetings`)) meetings.set(meeting, bytes)
    }
    return { customers, signals: await read('/signals'), meetings }
  }

  async take(step: Step): Promise<void> {
    const { session } = this
    const { customers, members } = session.data
    switch (step.do) {
      case 'advance':
        session.clock.advance(step.by)
        break
      case 'patch':
      case 'silent':
        await edits[step.table](session.data, findId(step), step.do === 'silent').catch(ignore)
        break
      case 'delete':
        await session.data[step.table].delete(findId(step)).catch(ignore)
        break
      case 'undo':
        await session.data.undo(step.table, findId(step)).catch(ignore)
        break
      case 'create':
        this.#created += 1
        await customers.put({ id: this.#created, name: 'New' }).catch(ignore)
        break
      case 'rename':
        this.#renamed += 1
        await members.patch(step.memberId, { firstName: `N${this.#renamed}` }).catch(ignore)
        break
      case 'scenario':
        session.scenarios.add({ ...step.scenario })
        break
      case 'fault':
        session.faults.add({
          operationId: operationIds[step.table],
          status: 503,
          after: step.after,
          times: 1,
        })
        break
      case 'calm':
        session.scenarios.clear()
        session.faults.clear()
        break
      case 'begin':
        this.#begin('customers', '/customers', this.#findCursor(step.cursor))
        break
      case 'begin signals':
        this.#begin('signals', '/signals')
        break
      case 'begin meetings':
        this.#begin('meetings', `/customers/${step.of}/meetings`)
        break
      case 'page':
        await this.#readPage(step)
        break
      case 'single':
        await this.#readSingle(step)
        break
      case 'forget':
        this.copy[step.table].delete(findId(step))
        break
      case 'reconcile':
        if (!(await this.look())[step.table].has(findId(step))) this.copy[step.table].delete(findId(step))
        break
      default:
    }
    const state = await this.look()
    for (const window of new Set(Object.values(this.windows))) {
      if (window.last === undefined) window.states = []
      window.states.push(state)
    }
  }

  #begin(table: Table, path: string, cursor?: string): void {
    this.#walks[table] = { path, cursor, offset: 0, hasFirst: false }
  }

  #findCursor(cursor: Extract<Step, { do: 'begin' }>['cursor']): string | undefined {
    const dates = Array.from(this.copy.customers.values(), ({ updatedDate }) => updatedDate).toSorted()
    const greatest = dates.at(-1)
    if (cursor === 'now') return this.session.clock.now()
    if (cursor === 'none' || greatest === undefined) return undefined
    const shift = { greatest: 0, 'past greatest': 1, overlap: -60_000 }[cursor]
    return new Date(Date.parse(greatest) + shift).toISOString()
  }

  async #readPage({ table, onError, keeps }: Extract<Step, { do: 'page' }>): Promise<void> {
    const walk = this.#walks[table]
    if (!walk) return
    const query = new URLSearchParams({ limit: '4', offset: `${walk.offset}` })
    if (walk.cursor !== undefined) query.set('updatedSince', walk.cursor)
    if (table !== 'meetings') await this.#beginRun(this.windows[table], walk)
    const response = await this.session.fetch(`${base}${walk.path}?${query}`, { headers })
    if (response.status !== 200) {
      if (onError === 'end') delete this.#walks[table]
      if (onError === 'skip') walk.offset += 4
      return
    }
    if (walk.offset === 0) walk.hasFirst = true
    const { items, totalCount }: { items: SyncedRow[]; totalCount: number } = await response.json()
    if (keeps) for (const item of items) this.copy[table].set(item.id, item)
    walk.offset += 4
    if (walk.offset >= totalCount) delete this.#walks[table]
  }

  /** Begins a run with the first request of a walk, unless it repeats one that was not answered. */
  async #beginRun(window: Window, walk: Walk): Promise<void> {
    const { last } = window
    const isRepeat = last?.cursor === walk.cursor && last?.hasFirst === false
    if (last !== walk && walk.offset === 0 && !isRepeat) window.states = [await this.look()]
    window.last = walk
  }

  async #readSingle({ id: customerId, keeps }: Extract<Step, { do: 'single' }>): Promise<void> {
    const response = await this.session.fetch(`${base}/customers/${customerId}`, { headers })
    const found: SyncedRow | undefined = response.status === 200 ? await response.json() : undefined
    if (found && keeps) this.copy.customers.set(customerId, found)
  }

  close(): void {
    this.session.close()
    this.#mirror.close()
  }
}

const createCopy = () => new Map<number, SyncedRow>()

/** Finds the id of a row by its place. */
const findId = ({ table, at }: { readonly table: Table; readonly at: number }): number =>
  first[table][at] ?? 1
