import { createSandbox, type ScenarioInput, type SessionHandle } from '../../../src/index.ts'
import {
  type Dice,
  type Filter,
  forEachTable,
  isOfCustomer,
  listPlaces,
  type ServiceRow,
  type State,
  type Table,
  toPath,
} from './tables.ts'

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

const wideScenarios: typeof scenarios = [
  { name: 'child-only-change', collection: 'notes' },
  { name: 'child-only-change', collection: 'signals' },
  { name: 'deleted', collection: 'notes' },
  { name: 'deleted', collection: 'signals' },
  { name: 'late-visibility', seconds: 60, lag: 'alternate' },
  { name: 'wrong-total' },
  { name: 'wrong-total', total: 'high' },
  { name: 'extra-field' },
  { name: 'token-expires', requests: 4 },
]

const operations = ['listCustomers', 'listSignals', 'listCustomerMeetings'] as const
const values = {
  segment: ['SMB', 'Enterprise', 'Startup', 'Mid-Market'],
  country: ['Germany', 'United Kingdom', 'United States'],
  city: ['Bergen', 'Lisbon'],
  name: ['00123', '17', 'Acme'],
} as const

/** Adds fields to a row which only the judge reads, such as those of its path. */
function hide(row: ServiceRow, fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    if (!(name in row)) Object.defineProperty(row, name, { value })
  }
}

/** The service as it changes, with every state that it has had. */
export class World {
  readonly session: SessionHandle
  readonly #mirror: SessionHandle
  readonly #tables: readonly Table[]
  readonly #isWide: boolean
  readonly states: State[] = []
  /** The number of requests. */
  requests = 0
  /** Of these, those that the session does not know any more. */
  forgotten = 0
  hasOthers = false
  #renewals = 0
  #key = ''
  #created = 900

  /** @param watched the tables whose states are kept */
  constructor(dice: Dice, watched: readonly Table[]) {
    this.#isWide = dice.isWide
    const sandbox = sandboxes[dice.chance(0.3) ? 1 : 0]
    this.session = sandbox.session()
    this.#mirror = sandbox.session()
    this.#tables = watched
  }

  /** The index of the present state. */
  get now(): number {
    return this.states.length - 1
  }

  /** Sends a request. Returns its number, too. */
  send(path: string, token = this.token): readonly [request: number, response: Promise<Response>] {
    this.requests += 1
    const bearer = { authorization: `Bearer ${token}` }
    return [this.requests, this.session.fetch(`${base}${path}`, { headers: bearer })]
  }

  get token(): string {
    return `sbx_harbor_1${this.#renewals === 0 ? '' : `~${this.#renewals}`}`
  }

  renew = (): void => {
    this.#renewals += 1
  }

  /** Reads all lists without scenarios, if something may have changed. */
  async look(): Promise<void> {
    const snapshot = this.session.snapshot()
    const key = `${snapshot.data.history.count} ${this.session.clock.now()}`
    if (key === this.#key) return
    this.#key = key
    this.#mirror.restore(snapshot)
    this.#mirror.scenarios.clear()
    this.#mirror.faults.clear()
    const read = async (table: Table, filter: Filter): Promise<ServiceRow[]> => {
      const [path] = toPath(table, filter)
      const rows: ServiceRow[] = []
      for (let total = 1; rows.length < total;) {
        const response = await this.#mirror.fetch(`${base}${path}?limit=250&offset=${rows.length}`, {
          headers,
        })
        const body = response.status === 200 ? await response.json() : []
        rows.push(...(Array.isArray(body) ? body : body.items))
        total = body.totalCount ?? 0
      }
      for (const row of rows) hide(row, filter)
      return rows
    }
    const customers = await read('customers', {})
    const members = this.#isWide ? await read('members', {}) : []
    const state = forEachTable(() => new Map<number, ServiceRow>())
    const add = (table: Table, rows: readonly ServiceRow[]): void => {
      for (const row of rows) state[table].set(row.id, row)
    }
    add('customers', customers)
    for (const table of this.#tables.filter((name) => name !== 'customers')) {
      for (const { id } of isOfCustomer(table) ? customers : [{ id: 0 }]) {
        for (const filter of listPlaces(table, id)) add(table, await read(table, filter))
      }
    }
    const managerOf = new Map(members.map(({ id, managerId }) => [id, managerId]))
    const team = members.filter(({ managerId }) => managerId === managerOf.get(1))
    for (const row of customers) {
      const held = JSON.stringify(row['memberRoles'])
      const isHeld = (id: number): boolean => held.includes(`{"id":${id},`)
      const scopes = [
        'all',
        ...(team.some(({ id }) => isHeld(id)) ? ['team'] : []),
        ...(isHeld(1) ? ['mine'] : []),
      ]
      hide(row, { scopes })
    }
    for (const row of state.signals.values()) {
      const customer = state.customers.get(Number(row['customerId']))
      hide(row, { scopes: customer?.['scopes'] ?? [] })
    }
    this.states.push(state)
  }

  /** Lets something happen. */
  async happen(dice: Dice): Promise<void> {
    const { clock, data, faults, scenarios: active } = this.session
    const table = dice.pick<Table>(['customers', 'customers', ...this.#tables])
    const ids = [...(this.states.at(-1)?.[table].keys() ?? [])]
    const id = ids[dice.below(ids.length)] ?? 1
    const action = dice.below(20)
    try {
      if (dice.wideChance(0.05)) await this.#letOtherRead(dice)
      else if (action < 4) clock.advance(dice.pick(['PT1S', 'PT20S', 'PT10M', 'P1D']))
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
        active.add(dice.wideChance(0.4) ? dice.pick(wideScenarios) : dice.pick(scenarios))
      } else if (action < 18) {
        active.clear()
        faults.clear()
      } else {
        const status = dice.pick([503, 429, 500, 401])
        const operationId = dice.pick(operations)
        const fault = { status, ...(status === 429 && { headers: { 'retry-after': '0' } }) }
        faults.add({ ...fault, operationId, after: dice.below(3), times: dice.pick([1, 1, 2]) })
        if (dice.isWide) faults.add({ ...fault, operationId: 'getCustomer', times: 1 })
      }
    } catch {
      // A record that is not there cannot be changed.
    }
    await this.look()
  }

  /** Lets the session forget all requests, since a snapshot may be of another past. */
  forget(): void {
    this.session.restore(this.session.snapshot())
    this.forgotten = this.requests
  }

  async #letOtherRead(dice: Dice): Promise<void> {
    if (!this.session.scenarios.list().some(({ name }) => name === 'member-leaves')) {
      // The member who leaves must not be the client's.
      const table = dice.pick<Table>(['customers', ...this.#tables])
      const [filter = {}] = listPlaces(table, 1 + dice.below(5))
      const [path] = toPath(table, filter)
      await this.send(`${path}?limit=${1 + dice.below(20)}`, `sbx_harbor_${2 + dice.below(3)}`)[1]
      this.hasOthers = true
    }
  }

  async #change(dice: Dice, table: Table, id: number): Promise<void> {
    const { data } = this.session
    const isSilent = dice.chance(0.15)
    const toText = (most = 1_000) => `Changed ${dice.below(most)}`
    const changes: Record<Table, () => Promise<unknown>> = {
      notes: async () => data.notes.patch(id, { content: `${(await data.notes.get(id)).content}!` }),
      briefContents: () => data.briefContents.patch(id, { content: toText() }),
      triggerLogs: () => data.triggerLogs.patch(id, { message: toText() }),
      automations: async () => {
        await data.automations.patch(id, dice.pick<object>([{ name: toText() }, { parentId: 6 }]))
        if (dice.chance(0.3)) await data.automations.patch(dice.pick([11, 12, 21]), { parentId: null })
      },
      members: () => data.members.patch(id, dice.pick<object>([{ lastName: toText() }, { managerId: 4 }])),
      briefs: () => {
        const one = 1 + dice.below(4)
        return data.briefs.patch(
          one,
          dice.pick<object>([{ name: toText(99) }, { isActive: dice.chance(0.5) }]),
        )
      },
      signals: async () => {
        const { updatedDate, summary } = await data.signals.get(id)
        await data.signals.patch(id, { summary: `${summary}!`, ...(isSilent && { updatedDate }) })
      },
      meetings: async () => {
        const { updatedDate, topic } = await data.meetings.get(id)
        const customerId =
          dice.chance(0.3) && [...(this.states.at(-1)?.customers.keys() ?? [])][dice.below(5)]
        const moved = typeof customerId === 'number' ? { customerId } : { topic: `${topic}!` }
        const times = { startDate: '2026-01-02T09:00:00.000Z', endDate: '2026-01-02T10:00:00.000Z' }
        const change = { ...moved, ...(dice.wideChance(0.3) && times) }
        await data.meetings.patch(id, { ...change, ...(isSilent && { updatedDate }) })
      },
      customers: async () => {
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
      },
    }
    await changes[table]()
  }

  close(): void {
    this.session.close()
    this.#mirror.close()
  }
}
