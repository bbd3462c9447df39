import type * as index from '../../src/index.ts'
import { type Cost, measureCosts, medianCost, type Subject } from './measure.ts'
import { customersById, onePage } from './requests.ts'
import { type Server, startCommand } from './servers.ts'
import { summarize, summarizeRatios } from './statistics.ts'
import { describe, getCpu, type Row, type Settings, type Suite } from './suite.ts'
import { headers, readTenant } from './tenant.ts'

const CONNECTIONS = 16

/** Steps of the clock: each row measures one step of a tenant of a size. */
const steps = [
  { id: 'living-day-medium', title: 'advance by a day, 300 customers', size: 300, by: 'P1D', times: 15 },
  { id: 'living-year-medium', title: 'advance by a year, 300 customers', size: 300, by: 'P1Y', times: 3 },
  { id: 'living-day-large', title: 'advance by a day, 10,000 customers', size: 10_000, by: 'P1D', times: 10 },
  {
    id: 'living-year-large',
    title: 'advance by a year, 10,000 customers',
    size: 10_000,
    by: 'P1Y',
    times: 1,
  },
] as const

type Step = (typeof steps)[number]

/** Measures what it costs that a tenant lives: steps of the clock, requests afterwards, and memory. */
export const living: Suite = {
  ids: [...steps.map(({ id }) => id), 'living-customer', 'living-page', 'living-memory'],
  async *measure(wanted, settings) {
    for (const size of settings.isQuick ? [300] : [300, 10_000]) {
      const own = steps.filter((step) => step.size === size && wanted.has(step.id))
      if (own.length > 0) yield* measureSteps(size, own)
    }
    yield* measureRequests(wanted, settings)
  },
}

async function* measureSteps(size: number, own: readonly Step[]): AsyncIterable<Row> {
  const url = new URL('../../dist/index.js', import.meta.url).href
  const { createSandbox }: Pick<typeof index, 'createSandbox'> = await import(url)
  const sandbox = await createSandbox({ size, future: 'living' })
  // The first step also reads the whole dataset.
  sandbox.clock.advance('PT1S')
  for (const { id, title, by, times } of own) {
    const measured: number[] = []
    let count = 0
    for (let turn = 0; turn < times; turn += 1) {
      const before = process.cpuUsage()
      const changed = sandbox.clock.advance(by)
      const { user, system } = process.cpuUsage(before)
      measured.push((user + system) / 1000)
      count = Object.values(changed).reduce((sum, each) => sum + each, 0)
    }
    const details = `${times} ${times === 1 ? 'step' : 'steps'}, the last one with ${format(count)} changed records`
    yield { id, title, unit: 'ms CPU', measured: summarize(measured), details }
  }
}

const format = (value: number): string => Math.round(value).toLocaleString('en-US')

/** How many pairs of servers to start: a server is as fast or slow as it was at its start, by up to a fifth. */
const PAIRS = 5

const works = [
  { id: 'living-customer', title: 'one customer by id', requests: customersById },
  { id: 'living-page', title: 'a page of 100 customers, one URL', requests: onePage },
] as const

/** Compares requests to living tenants, half a year later, with those to some that stand still. */
async function* measureRequests(wanted: ReadonlySet<string>, settings: Settings): AsyncIterable<Row> {
  const chosen = works.filter(({ id }) => wanted.has(id))
  if (chosen.length === 0 && !wanted.has('living-memory')) return
  const measured = chosen.map((work) => ({ work, still: [] as Cost[], moved: [] as Cost[] }))
  const options = { ...settings, rounds: Math.ceil(settings.rounds / 2) }
  let memory: Row | undefined
  for (let pair = 0; pair < PAIRS; pair += 1) {
    await using still = await startTenant('still')
    await using moved = await startTenant('living')
    await advance(moved, 'P180D')
    for (const costs of measured) {
      const subjects = await Promise.all([still, moved].map((server) => createSubject(server, costs.work)))
      const [before = [], after = []] = await measureCosts(subjects, options)
      costs.still.push(...before)
      costs.moved.push(...after)
    }
    memory = await compareMemory(still, moved)
  }
  for (const { work, still, moved } of measured) {
    yield {
      id: work.id,
      title: `${work.title}, after 180 days`,
      unit: 'CPU, living / still',
      measured: summarizeRatios(moved.map(getCpu), still.map(getCpu)),
      goal: { atMost: 1.1 },
      details: `living ${describe(medianCost(moved))}; still ${describe(medianCost(still))}; ${PAIRS} pairs`,
    }
  }
  if (memory && wanted.has('living-memory')) yield memory
}

const startTenant = (future: string): Promise<Server> =>
  startCommand('--size', 'medium', '--memory', '--future', future)

async function createSubject(server: Server, { requests }: (typeof works)[number]): Promise<Subject> {
  const { next } = requests(await readTenant(server))
  return { server, next, connections: CONNECTIONS }
}

async function compareMemory(still: Server, moved: Server): Promise<Row> {
  const [before, after] = [await readMemory(still), await readMemory(moved)]
  return {
    id: 'living-memory',
    title: 'memory after 180 days, medium',
    unit: 'RSS, living / still',
    measured: summarizeRatios([after], [before]),
    details: `living ${after.toFixed(0)} MB, still ${before.toFixed(0)} MB`,
  }
}

/** Units: megabytes. */
const readMemory = async (server: Server): Promise<number> => (await server.usage()).rssBytes / 1_000_000

async function advance({ port }: Pick<Server, 'port'>, by: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/_sandbox/clock/advance`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ by }),
  })
  if (response.status !== 200) throw new Error(`advancing the clock returned ${response.status}`)
}
