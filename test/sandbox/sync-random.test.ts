import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { anyStep, type Step, tables } from './sync-steps.ts'
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
