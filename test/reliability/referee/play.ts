import { Client } from './client.ts'
import { type Copy, Judge, type Kind } from './judge.ts'
import { Dice, type Table, World } from './world.ts'

const anyTables: readonly [readonly Table[], ...(readonly Table[])[]] = [
  ['customers'],
  ['customers'],
  ['customers', 'meetings'],
  ['signals'],
  ['customers', 'signals'],
]

/** Lets a random client sync in a random world, and lists where the verdict and the judge disagree. */
export async function play(seed: number): Promise<readonly string[]> {
  const dice = new Dice(seed)
  const watched = dice.pick(anyTables)
  const world = new World(dice, watched)
  await world.look()
  const client = new Client(world, dice, watched)
  for (let runs = 1 + dice.below(4); runs > 0; runs -= 1) {
    await client.run()
    for (let events = dice.below(4); events > 0; events -= 1) await world.happen(dice)
    if (dice.chance(0.4)) await client.lookAround()
    if (dice.chance(0.3)) await world.happen(dice)
  }
  const judge = new Judge(world.states, client.readings, client.copy)
  const found: string[] = []
  for (const table of watched) found.push(...(await compare(world, judge, table, client.copy)))
  world.close()
  return found.map((difference) => `seed ${seed}, ${difference}`)
}

async function compare({ session }: World, judge: Judge, table: Table, copies: Copy): Promise<string[]> {
  const copy = { [table]: [...copies[table].values()] }
  const verdict = await session.sync.verdict(copy).catch((error: Error) => {
    if (error.message.includes('nothing to judge')) return undefined
    throw error
  })
  if (!verdict) return []
  const expected = judge.judgeAll(table)
  const kinds = new Map<number, Kind>()
  for (const kind of ['missed', 'stale', 'ghosts'] as const)
    for (const { id } of verdict[kind]) kinds.set(id, kind)
  const wrong = new Map([...expected].filter(([, kind]) => kind !== 'pending'))
  const ids = [...new Set([...kinds.keys(), ...wrong.keys()])]
  const differences = ids.flatMap((id) => {
    const [own, given] = [wrong.get(id), kinds.get(id)]
    if (own === given) return []
    const verb = own === undefined ? 'false red' : 'false green'
    return [
      `${verb}: ${table} ${id} is ${own ?? expected.get(id) ?? 'right'}, not ${given ?? 'pending or right'}`,
    ]
  })
  const pending = expected.size - wrong.size
  if (differences.length === 0 && verdict.pending !== pending) {
    differences.push(`false count: ${verdict.pending} are pending, not ${pending}`)
  }
  for (const entry of [...verdict.missed, ...verdict.stale, ...verdict.ghosts]) {
    const fact = judge.refute(entry)
    if (fact !== undefined) differences.push(`false reason: ${entry.reason}, but ${fact}. ${entry.text}`)
  }
  return differences
}
