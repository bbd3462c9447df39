import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { createSandbox, type ScenarioInput } from '../../src/index.ts'
import type { JournalEntry } from '../../src/journal/view.ts'
import type { SessionHandle } from '../../src/sandbox/session-handle.ts'

const sandbox = await createSandbox({ size: 12, future: 'living' })
const headers = { authorization: 'Bearer sbx_harbor_1' }
const list = '/v1/organizations/harbor/customers'

/** The rows of a list as the service sends them, each as JSON, by id. */
type Bytes = ReadonlyMap<number, string>

interface Customer {
  readonly id: number
  readonly updatedDate: string
}

type Step =
  | { readonly do: 'advance'; readonly by: string }
  | { readonly do: 'patch' | 'delete' | 'undo' | 'silent'; readonly id: number }
  | { readonly do: 'create' }
  | { readonly do: 'rename'; readonly memberId: number }
  | { readonly do: 'scenario'; readonly scenario: ScenarioInput }
  | { readonly do: 'fault'; readonly after: number }
  | { readonly do: 'calm' }
  | { readonly do: 'begin'; readonly cursor: 'none' | 'greatest' | 'now' | 'past greatest' | 'overlap' }
  | { readonly do: 'page'; readonly onError: 'repeat' | 'skip' | 'end'; readonly keeps: boolean }
  | { readonly do: 'single'; readonly id: number; readonly keeps: boolean }
  | { readonly do: 'forget' | 'reconcile'; readonly id: number }

const anyId = fc.integer({ min: 1, max: 12 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.constantFrom('PT5S', 'PT1M', 'P2D') }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('patch' as const, 'delete' as const, 'undo' as const, 'silent' as const),
      id: anyId,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'create' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rename' as const), memberId: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom<ScenarioInput>(
        { name: 'page-drift' },
        { name: 'late-visibility', seconds: 30 },
        { name: 'change-while-reading' },
        { name: 'silent-change' },
        { name: 'deleted' },
      )
      .map((scenario) => ({ do: 'scenario' as const, scenario })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fault' as const), after: fc.integer({ min: 0, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'calm' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('begin' as const),
      cursor: fc.constantFrom(
        'none' as const,
        'none' as const,
        'greatest' as const,
        'now' as const,
        'past greatest' as const,
        'overlap' as const,
      ),
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant('page' as const),
      onError: fc.constantFrom('repeat' as const, 'skip' as const, 'end' as const),
      keeps: fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('single' as const), id: anyId, keeps: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('forget' as const, 'reconcile' as const), id: anyId }),
  },
)

/** A walk through the list, page by page. */
interface Walk {
  readonly cursor: string | undefined
  offset: number
  hasFirst: boolean
}

const ignore = (): undefined => undefined

/** A client that does what the steps say, and the states of the service since its last run began. */
class World {
  #last: Walk | undefined
  readonly session: SessionHandle = sandbox.session()
  readonly #mirror = sandbox.session()
  readonly copy = new Map<number, Customer>()
  /** Every state of the list since the last run began, of which there is none before the first. */
  states: Bytes[] = []
  #walk: Walk | undefined
  #created = 900

  /** Reads the whole list as it is, without scenarios, in another session. */
  async look(): Promise<Bytes> {
    this.#mirror.restore(this.session.snapshot())
    this.#mirror.scenarios.clear()
    this.#mirror.faults.clear()
    this.#mirror.clock.tick(undefined)
    const response = await this.#mirror.fetch(`${list}?limit=250`, { headers })
    const { items }: { readonly items: readonly Customer[] } = await response.json()
    return new Map(items.map((item) => [item.id, JSON.stringify(item)]))
  }

  async take(step: Step): Promise<void> {
    const { session } = this
    const { customers, members } = session.data
    switch (step.do) {
      case 'advance':
        session.clock.advance(step.by)
        break
      case 'patch': {
        const { employeeCount } = await customers.get(step.id).catch(() => ({ employeeCount: 0 }))
        await customers.patch(step.id, { employeeCount: employeeCount + 1 }).catch(ignore)
        break
      }
      case 'silent': {
        const known = await customers.get(step.id).catch(ignore)
        if (known)
          await customers
            .patch(step.id, { city: `${known.city}!`, updatedDate: known.updatedDate })
            .catch(ignore)
        break
      }
      case 'delete':
        await customers.delete(step.id).catch(ignore)
        break
      case 'undo':
        await session.data.undo('customers', step.id).catch(ignore)
        break
      case 'create':
        this.#created += 1
        await customers.put({ id: this.#created, name: 'New' }).catch(ignore)
        break
      case 'rename':
        await members.patch(step.memberId, { firstName: `N${this.states.length}` }).catch(ignore)
        break
      case 'scenario':
        session.scenarios.add({ ...step.scenario })
        break
      case 'fault':
        session.faults.add({ operationId: 'listCustomers', status: 503, after: step.after, times: 1 })
        break
      case 'calm':
        session.scenarios.clear()
        session.faults.clear()
        break
      case 'begin':
        this.#walk = { cursor: this.#findCursor(step.cursor), offset: 0, hasFirst: false }
        break
      case 'page':
        await this.#readPage(step)
        break
      case 'single':
        await this.#readSingle(step)
        break
      case 'forget':
        this.copy.delete(step.id)
        break
      case 'reconcile':
        if (!(await this.look()).has(step.id)) this.copy.delete(step.id)
        break
      default:
    }
    if (this.#last === undefined) this.states = []
    this.states.push(await this.look())
  }

  #findCursor(cursor: Extract<Step, { do: 'begin' }>['cursor']): string | undefined {
    const dates = Array.from(this.copy.values(), ({ updatedDate }) => updatedDate).toSorted()
    const greatest = dates.at(-1)
    if (cursor === 'now') return this.session.clock.now()
    if (cursor === 'none' || greatest === undefined) return undefined
    const shift = { greatest: 0, 'past greatest': 1, overlap: -60_000 }[cursor]
    return new Date(Date.parse(greatest) + shift).toISOString()
  }

  async #readPage({ onError, keeps }: Extract<Step, { do: 'page' }>): Promise<void> {
    const walk = this.#walk
    if (!walk) return
    const query = new URLSearchParams({ limit: '4', offset: `${walk.offset}` })
    if (walk.cursor !== undefined) query.set('updatedSince', walk.cursor)
    // A run begins with the first request of a walk, unless it repeats one that was not answered.
    const isRepeat = this.#last?.cursor === walk.cursor && this.#last?.hasFirst === false
    if (this.#last !== walk && walk.offset === 0 && !isRepeat) this.states = [await this.look()]
    this.#last = walk
    const response = await this.session.fetch(`${list}?${query}`, { headers })
    if (response.status !== 200) {
      if (onError === 'end') this.#walk = undefined
      if (onError === 'skip') walk.offset += 4
      return
    }
    if (walk.offset === 0) walk.hasFirst = true
    const { items, totalCount }: { items: Customer[]; totalCount: number } = await response.json()
    if (keeps) for (const item of items) this.copy.set(item.id, item)
    walk.offset += 4
    if (walk.offset >= totalCount) this.#walk = undefined
  }

  async #readSingle({ id: customerId, keeps }: Extract<Step, { do: 'single' }>): Promise<void> {
    const response = await this.session.fetch(`${list}/${customerId}`, { headers })
    const found: Customer | undefined = response.status === 200 ? await response.json() : undefined
    if (found && keeps) this.copy.set(customerId, found)
  }

  close(): void {
    this.session.close()
    this.#mirror.close()
  }
}

/** Compares all bytes of the copy with every state since the last run began. */
function compare({ copy, states }: World): Record<string, number[] | number> {
  const found = { missed: [] as number[], stale: [] as number[], ghosts: [] as number[], pending: 0 }
  const ids = new Set([...copy.keys(), ...states.flatMap((state) => [...state.keys()])])
  for (const one of [...ids].toSorted((a, b) => a - b)) {
    const row = copy.get(one)
    const own = row && JSON.stringify(row)
    if (own === states.at(-1)?.get(one)) continue
    if (states.some((state) => state.get(one) === own)) found.pending += 1
    else if (own === undefined) found.missed.push(one)
    else found[states.some((state) => state.has(one)) ? 'stale' : 'ghosts'].push(one)
  }
  return found
}

/** Reasons that the bytes of a single response prove. */
const proofs: Readonly<Record<string, (id: number, response: JournalEntry) => boolean>> = {
  fault_not_retried: (_, { status }) => status !== 200,
  delivered_not_stored: (id, { response }) => response?.body?.includes(`"id":${id},"name"`) === true,
  unread_tail: (id, { response }) => response?.body?.includes(`"id":${id},"name"`) === false,
  page_drift: (id, { response }) => response?.body?.includes(`"id":${id},"name"`) === false,
}

const numRuns = process.env['TORTURE'] === 'long' ? 1_000 : 20

it('agrees with a comparison of all bytes, whatever the order of time, faults, scenarios and reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
      const world = new World()
      for (const one of steps) await world.take(one)
      const { copy, session } = world
      const verdict = await session.sync.verdict({ customers: [...copy.values()] })
      const pick = (kind: 'missed' | 'stale' | 'ghosts') => verdict[kind].map(({ id }) => id)
      const found = { missed: pick('missed'), stale: pick('stale'), ghosts: pick('ghosts') }
      expect({ ...found, pending: verdict.pending }).toEqual(compare(world))
      const responses = session.requests.list()
      const wrong = [...verdict.missed, ...verdict.stale].filter(({ id, reason, requests }) => {
        const own = responses.filter((response) => requests.includes(response.id))
        return reason === 'unknown' || !own.every((response) => proofs[reason]?.(id, response) ?? true)
      })
      expect(wrong).toEqual([])
      world.close()
    }),
    { seed: 42, numRuns },
  )
})
