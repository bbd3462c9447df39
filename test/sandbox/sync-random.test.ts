import { expect, it } from 'vitest'

import { chooseAmount } from '../reliability/figures.ts'
import { Dice, type ServiceRow } from '../reliability/referee/tables.ts'
import { World } from '../reliability/referee/world.ts'

/** A client that never removes a row, and gives up a run that fails. */
class Client {
  readonly #world: World
  readonly #cursor: 'none' | 'greatest' | 'overlap'
  readonly copy = new Map<number, ServiceRow>()

  constructor(world: World, dice: Dice) {
    this.#world = world
    this.#cursor = dice.pick(['none', 'greatest', 'overlap'])
  }

  async run(kind: 'next' | 'full', beforePage = () => Promise.resolve()): Promise<void> {
    const dates = Array.from(this.copy.values(), ({ updatedDate }) => Date.parse(updatedDate ?? ''))
    const greatestMs = Math.max(...dates) - (this.#cursor === 'overlap' ? 60_000 : 0)
    const isFull = kind === 'full' || this.#cursor === 'none' || dates.length === 0
    const cursor = isFull ? '' : `&updatedSince=${new Date(greatestMs).toISOString()}`
    for (let [offset, total] = [0, 1]; offset < total; offset += 4) {
      await beforePage()
      const response = await this.#world.send(`/customers?limit=4&offset=${offset}${cursor}`)[1]
      if (response.status !== 200) return
      const page: { items: readonly ServiceRow[]; totalCount: number } = await response.json()
      for (const row of page.items) this.copy.set(row.id, row)
      total = page.totalCount
    }
  }

  /** Lists the rows of the service that differ from those of the copy. */
  async listWrong(ids: readonly number[]): Promise<readonly number[]> {
    await this.#world.look()
    const rows = this.#world.states.at(-1)?.customers
    return ids.filter((id) => {
      const row = rows?.get(id)
      return row !== undefined && JSON.stringify(row) !== JSON.stringify(this.copy.get(id))
    })
  }
}

/** Returns the number of rows that were wrong, and those that have not healed as the verdict said. */
async function play(seed: number): Promise<{ readonly count: number; readonly found: readonly string[] }> {
  const dice = new Dice(seed)
  const world = new World(dice, ['customers'])
  await world.look()
  const client = new Client(world, dice)
  const happen = async (): Promise<void> => {
    while (dice.chance(0.6)) await world.happen(dice)
  }
  for (let runs = 1 + dice.below(4); runs > 0; runs -= 1) await client.run('next', happen)
  await happen()
  const { session } = world
  const verdict = await session.sync.verdict({ customers: [...client.copy.values()] })
  const wrong = [...verdict.missed, ...verdict.stale]
  session.scenarios.clear()
  session.faults.clear()
  await client.run('next')
  const next = wrong.filter(({ heals }) => heals === 'next').map(({ id }) => id)
  const found = (await client.listWrong(next)).map((id) => `seed ${seed}: ${id} is wrong after the next run`)
  await client.run('full')
  for (const id of await client.listWrong(wrong.map((entry) => entry.id))) {
    found.push(`seed ${seed}: ${id} is wrong after a full run`)
  }
  world.close()
  return { count: wrong.length, found }
}

/** Seeds beyond the first few whose predictions were once wrong. */
const FOUND = [737, 1_788]

it(
  'what heals in the next run is right after it, and everything else after a full one',
  async () => {
    let wrong = 0
    const seeds = Array.from({ length: chooseAmount(10, 1_000) }, (_, at) => at + 1)
    for (const seed of [...seeds, ...FOUND]) {
      const { count, found } = await play(seed)
      expect(found).toEqual([])
      wrong += count
    }
    expect(wrong).toBeGreaterThan(0)
  },
  chooseAmount(120_000, 1_800_000),
)
