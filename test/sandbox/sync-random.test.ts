import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { anyEvent, anyStep, type Step, tables } from './sync-steps.ts'
import { operationIds, World } from './sync-world.ts'

type JournalEntry = ReturnType<SessionHandle['requests']['list']>[number]

/** Compares all bytes of the copy with every state since the last run began. */
function compare({ copy, windows }: World) {
  const found = { missed: [] as string[], stale: [] as string[], ghosts: [] as string[], pending: 0 }
  for (const table of tables) {
    const states = windows[table].states.map((state) => state[table])
    const ids = new Set([...copy[table].keys(), ...states.flatMap((state) => [...state.keys()])])
    for (const one of ids) {
      const row = copy[table].get(one)
      const own = row && JSON.stringify(row)
      const name = `${table} ${one}`
      if (own === states.at(-1)?.get(one)) continue
      if (states.some((state) => state.get(one) === own)) found.pending += 1
      else if (own === undefined) found.missed.push(name)
      else found[states.some((state) => state.has(one)) ? 'stale' : 'ghosts'].push(name)
    }
  }
  const { missed, stale, ghosts, pending } = found
  return { missed: missed.toSorted(), stale: stale.toSorted(), ghosts: ghosts.toSorted(), pending }
}

/** Reports whether a response shows a record. */
function shows({ response }: JournalEntry, id: number): boolean {
  const body = JSON.parse(response?.body ?? '{}')
  return [body, ...(body.items ?? [])].some((record: { readonly id?: unknown }) => record.id === id)
}

/** Reasons that the bytes of a single response prove. */
const proofs: Readonly<Record<string, (id: number, response: JournalEntry) => boolean>> = {
  fault_not_retried: (_, { status }) => status !== 200,
  delivered_not_stored: (id, response) => shows(response, id),
  unread_tail: (id, response) => !shows(response, id),
  page_drift: (id, response) => !shows(response, id),
}

/** Reports whether a response is about a collection: a meeting may be missing for its customer's reason. */
const isAbout = (collection: string, { operationId }: JournalEntry): boolean =>
  collection === 'customers' ||
  tables.some((table) => table === collection && operationIds[table] === operationId)

const numRuns = chooseAmount(4, 1_000)

/** A first run, in which meetings are read from then on. */
const start: readonly Step[] = [
  { do: 'begin', cursor: 'none' },
  { do: 'page', table: 'customers', onError: 'repeat', keeps: true },
]

it(
  'agrees with a comparison of all bytes, whatever the order of time, faults, scenarios and reads',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
        const world = new World()
        for (const one of [...start, ...steps]) await world.take(one)
        const { copy, session } = world
        const verdict = await session.sync.verdict({
          customers: [...copy.customers.values()],
          signals: [...copy.signals.values()],
          meetings: [...copy.meetings.values()],
        })
        const pick = (kind: 'missed' | 'stale' | 'ghosts') =>
          verdict[kind].map(({ collection, id }) => `${collection} ${id}`).toSorted()
        const found = { missed: pick('missed'), stale: pick('stale'), ghosts: pick('ghosts') }
        expect({ ...found, pending: verdict.pending }).toEqual(compare(world))
        const responses = session.requests.list()
        const wrong = [...verdict.missed, ...verdict.stale].filter(({ id, collection, reason, requests }) => {
          const own = responses.filter(
            (response) => requests.includes(response.id) && isAbout(collection, response),
          )
          return reason === 'unknown' || !own.every((response) => proofs[reason]?.(id, response) ?? true)
        })
        expect(wrong).toEqual([])
        world.close()
      }),
      { seed: 42, numRuns },
    )
  },
  chooseAmount(120_000, 1_800_000),
)

/** The events between two pages, or between two runs. */
const anyEvents = fc.array(anyEvent, { maxLength: 2 })
const anyHistory = fc.record({
  cursor: fc.constantFrom(...(['none', 'greatest', 'overlap'] as const)),
  runs: fc.array(fc.array(anyEvents, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  after: anyEvents,
})

it(
  'what heals in the next run is right after it, and everything else after a full one',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async ({ cursor, runs, after }) => {
        const world = new World()
        const { copy, session } = world
        const run = async (begin: Step, pages: readonly (readonly Step[])[]): Promise<void> => {
          await world.take(begin)
          for (const events of pages) {
            for (const event of events) await world.take(event)
            await world.take({ do: 'page', table: 'customers', onError: 'end', keeps: true })
          }
        }
        const rest: readonly Step[][] = [[], [], [], [], [], []]
        for (const pages of runs) await run({ do: 'begin', cursor }, [...pages, ...rest])
        for (const event of after) await world.take(event)
        const { missed, stale } = await session.sync.verdict({ customers: [...copy.customers.values()] })
        // This client never removes a row.
        const listWrong = async (entries: readonly { readonly id: number }[]) => {
          const { customers } = await world.look()
          return entries.filter(({ id }) => {
            const row = customers.get(id)
            return row !== undefined && JSON.stringify(copy.customers.get(id)) !== row
          })
        }
        await world.take({ do: 'calm' })
        await run({ do: 'begin', cursor }, rest)
        expect(await listWrong([...missed, ...stale].filter(({ heals }) => heals === 'next'))).toEqual([])
        await run({ do: 'begin', cursor: 'none' }, rest)
        expect(await listWrong([...missed, ...stale])).toEqual([])
        world.close()
      }),
      { seed: 42, numRuns: chooseAmount(6, 1_000) },
    )
  },
  chooseAmount(120_000, 1_800_000),
)
