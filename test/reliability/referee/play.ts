import type { Copies, Verdict, VerdictOptions } from '../../../src/index.ts'
import { Client } from './client.ts'
import { Judge, type Kind } from './judge.ts'
import { Dice, forEachTable, type ServiceRow, type Table } from './tables.ts'
import { World } from './world.ts'

const anyTables: readonly [readonly Table[], ...(readonly Table[])[]] = [
  ['customers'],
  ['customers'],
  ['customers', 'meetings'],
  ['signals'],
  ['customers', 'signals'],
]

const wideTables: typeof anyTables = [
  ...anyTables,
  ['customers', 'notes'],
  ['customers', 'meetings', 'notes', 'signals'],
  ['customers', 'briefContents'],
  ['automations'],
  ['triggerLogs'],
  ['members'],
  ['briefs'],
]

/** Lets a random client sync in a random world, and lists where the verdict and the judge disagree. */
export async function play(seed: number, isWide = false): Promise<readonly string[]> {
  const dice = new Dice(seed, isWide)
  const watched = dice.pick(isWide ? wideTables : anyTables)
  const world = new World(dice, watched)
  await world.look()
  const client = new Client(world, dice, watched)
  for (let runs = 1 + dice.below(4); runs > 0; runs -= 1) {
    await client.run()
    for (let events = dice.below(4); events > 0; events -= 1) await world.happen(dice)
    if (dice.chance(0.4)) await client.lookAround()
    if (dice.chance(0.3)) await world.happen(dice)
    if (dice.wideChance(0.1)) world.forget()
  }
  const isOfIds = dice.wideChance(0.15)
  const toKept = (row: ServiceRow): ServiceRow => (isOfIds ? { id: row.id } : row)
  const toGiven = (rows: ReadonlyMap<number, ServiceRow>) => (isOfIds ? [...rows.keys()] : [...rows.values()])
  const isAtOnce = dice.wideChance(0.5)
  const needsName = world.hasOthers || dice.wideChance(0.3)
  const options = needsName ? { as: dice.pick<string | number>([1, world.token]) } : {}
  const found: string[] = []
  for (const judged of isAtOnce ? [watched] : watched.map((table) => [table])) {
    const copy = forEachTable((table) => {
      const rows = judged.includes(table) ? client.copy[table] : []
      return new Map(Array.from(rows, ([id, row]) => [id, toKept(row)]))
    })
    const given = Object.fromEntries(judged.map((table) => [table, toGiven(copy[table])]))
    const judge = new Judge(world.states, client.readings, copy, world.forgotten)
    found.push(...compare(await judgeSync(world, given, options), judge, judged))
  }
  world.close()
  return found.map((difference) => `seed ${seed}, ${difference}`)
}

async function judgeSync(
  { session }: World,
  copies: Copies,
  options: VerdictOptions,
): Promise<Verdict | undefined> {
  return session.sync.verdict(copies, options).catch((error: Error) => {
    if (error.message.includes('nothing to judge')) return undefined
    throw error
  })
}

function compare(verdict: Verdict | undefined, judge: Judge, judged: readonly Table[]): string[] {
  if (!verdict) return []
  const expected = new Map<string, Kind>()
  const kinds = new Map<string, Kind>()
  for (const table of judged)
    for (const [id, kind] of judge.judgeAll(table)) expected.set(`${table} ${id}`, kind)
  for (const kind of ['missed', 'stale', 'ghosts'] as const)
    for (const { id, collection } of verdict[kind]) kinds.set(`${collection} ${id}`, kind)
  const wrong = new Map([...expected].filter(([, kind]) => kind !== 'pending'))
  const ids = [...new Set([...kinds.keys(), ...wrong.keys()])]
  const differences = ids.flatMap((id) => {
    const [own, given] = [wrong.get(id), kinds.get(id)]
    if (own === given) return []
    const verb = own === undefined ? 'false red' : 'false green'
    return [`${verb}: ${id} is ${own ?? expected.get(id) ?? 'right'}, not ${given ?? 'pending or right'}`]
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
