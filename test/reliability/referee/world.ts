import { createSandbox, type ScenarioInput, type SessionHandle } from '../../../src/index.ts'

/** A repeatable source of chance. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Rolls a number from 0 to below 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0
    let hash = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash
    return ((hash ^ (hash >>> 14)) >>> 0) / 4_294_967_296
  }

  chance = (part: number): boolean => this.roll() < part
  below = (end: number): number => Math.floor(this.roll() * end)

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0]
  }
}

export const tables = ['customers', 'signals', 'meetings'] as const
export type Table = (typeof tables)[number]

export interface ServiceRow {
  readonly id: number
  readonly updatedDate: string
  readonly [field: string]: unknown
}

/** The rows of the service at a moment, by table and id. */
export type State = Readonly<Record<Table, ReadonlyMap<number, ServiceRow>>>

const headers = { authorization: 'Bearer sbx_harbor_1' }
const base = '/v1/organizations/harbor'

/** The tenants of every world: one that stands still, and one that lives. */
const sandboxes = [
  await createSandbox({ size: 14 }),
  await createSandbox({ size: 14, future: 'living' }),
] as const

const scenarios: readonly [ScenarioInput, ...ScenarioInput[]] = [
  { name: 'page-drift' },
  { name: 'page-drift', times: 2 },
  { name: 'late-visibility', seconds: 30 },
  { name: 'late-visibility', seconds: 600 },
  { name: 'change-while-reading' },
  { name: 'update-at-cursor' },
  { name: 'bulk-update-ties' },
  { name: 'silent-change' },
  { name: 'child-only-change' },
  { name: 'deleted' },
  { name: 'deleted', collection: 'meetings' },
  { name: 'merged' },
  { name: 'member-leaves' },
]

const operations = ['listCustomers', 'listSignals', 'listCustomerMeetings'] as const
const values = {
  segment: ['SMB', 'Enterprise', 'Startup', 'Mid-Market'],
  country: ['Germany', 'United Kingdom', 'United States'],
  city: ['Bergen', 'Lisbon'],
  name: ['00123', '17', 'Acme'],
} as const

/** The service as it changes, with every state that it has had. */
export class World {
  readonly session: SessionHandle
  readonly #mirror: SessionHandle
  readonly #tables: readonly Table[]
  readonly states: State[] = []
  #key = ''
  #created = 900

  /** @param watched the tables whose states are kept */
  constructor(dice: Dice, watched: readonly Table[]) {
    const sandbox = sandboxes[dice.chance(0.3) ? 1 : 0]
    this.session = sandbox.session()
    this.#mirror = sandbox.session()
    this.#tables = watched
  }

  /** The index of the present state. */
  get now(): number {
    return this.states.length - 1
  }

  send = (path: string): Promise<Response> => this.session.fetch(`${base}${path}`, { headers })

  /** Reads all lists without scenarios, if something may have changed. */
  async look(): Promise<void> {
    const snapshot = this.session.snapshot()
    const key = `${snapshot.data.history.count} ${this.session.clock.now()}`
    if (key === this.#key) return
    this.#key = key
    this.#mirror.restore(snapshot)
    this.#mirror.scenarios.clear()
    this.#mirror.faults.clear()
    const read = async (path: string): Promise<ServiceRow[]> => {
      const response = await this.#mirror.fetch(`${base}${path}?limit=250`, { headers })
      const { items }: { readonly items: readonly ServiceRow[] } = await response.json()
      return [...items]
    }
    const customers = await read('/customers')
    const meetings: ServiceRow[] = []
    if (this.#tables.includes('meetings')) {
      for (const { id } of customers) meetings.push(...(await read(`/customers/${id}/meetings`)))
    }
    const signals = this.#tables.includes('signals') ? await read('/signals') : []
    const toMap = (rows: readonly ServiceRow[]) => new Map(rows.map((row) => [row.id, row]))
    this.states.push({ customers: toMap(customers), signals: toMap(signals), meetings: toMap(meetings) })
  }

  /** Lets something happen. */
  async happen(dice: Dice): Promise<void> {
    const { clock, data, faults, scenarios: active } = this.session
    const table = dice.pick<Table>(['customers', 'customers', ...this.#tables])
    const ids = [...(this.states.at(-1)?.[table].keys() ?? [])]
    const id = ids[dice.below(ids.length)] ?? 1
    const action = dice.below(20)
    try {
      if (action < 4) clock.advance(dice.pick(['PT1S', 'PT20S', 'PT10M', 'P1D']))
      else if (action < 9) await this.#change(dice, table, id)
      else if (action < 11) await data[table].delete(id)
      else if (action < 13) {
        this.#created += 1
        const segment = dice.pick(values.segment)
        await data.customers.put({ id: this.#created, name: 'New', segment })
      } else if (action < 14) await data.undo(table, id)
      else if (action < 17) {
        // Two changes by one request would hide a version from the judge.
        active.clear()
        active.add(dice.pick(scenarios))
      } else if (action < 18) {
        active.clear()
        faults.clear()
      } else {
        const status = dice.pick([503, 429, 500, 401])
        faults.add({
          operationId: dice.pick(operations),
          status,
          after: dice.below(3),
          times: dice.pick([1, 1, 2]),
          ...(status === 429 && { headers: { 'retry-after': '0' } }),
        })
      }
    } catch {
      // A record that is not there cannot be changed.
    }
    await this.look()
  }

  async #change(dice: Dice, table: Table, id: number): Promise<void> {
    const { data } = this.session
    const isSilent = dice.chance(0.15)
    if (table === 'signals') {
      const { updatedDate, summary } = await data.signals.get(id)
      await data.signals.patch(id, { summary: `${summary}!`, ...(isSilent && { updatedDate }) })
    } else if (table === 'meetings') {
      const { updatedDate, topic } = await data.meetings.get(id)
      const customerId = dice.chance(0.3) && [...(this.states.at(-1)?.customers.keys() ?? [])][dice.below(5)]
      const moved = typeof customerId === 'number' ? { customerId } : { topic: `${topic}!` }
      await data.meetings.patch(id, { ...moved, ...(isSilent && { updatedDate }) })
    } else {
      const { updatedDate } = await data.customers.get(id)
      const change = dice.pick<object>([
        { segment: dice.pick(values.segment) },
        { country: dice.pick(values.country) },
        { city: dice.pick(values.city) },
        { name: dice.pick(values.name) },
        { employeeCount: dice.below(1_000) },
        { memberRoles: [{ key: 'csm', memberIds: [1 + dice.below(3)] }] },
      ])
      await data.customers.patch(id, { ...change, ...(isSilent && { updatedDate }) })
    }
  }

  close(): void {
    this.session.close()
    this.#mirror.close()
  }
}
