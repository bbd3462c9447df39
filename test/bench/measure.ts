import { type Amount, type PreparedRequest, load } from './load.ts'
import type { Server } from './servers.ts'
import { median } from './statistics.ts'

export interface Cost {
  /** CPU time of the server's process per request. */
  readonly cpuUs: number
  readonly requestsPerSecond: number
}

export interface Subject {
  readonly server: Server
  readonly next: () => PreparedRequest
  readonly connections: number
  readonly prepare?: () => Promise<unknown>
}

/** The load before the first round, so that functions are compiled: a number of rounds, and at most so many requests. */
const WARM_UP = { rounds: 2.5, requests: 5_000 }

/** How many rounds to measure, and how long; each round is preceded by a quarter of one that does not count. */
export interface RoundOptions extends Amount {
  readonly rounds: number
}

/**
 * Measures several servers in turn, round by round.
 * Shape: for each server, its cost in each round.
 */
export async function measureCosts(subjects: readonly Subject[], options: RoundOptions): Promise<Cost[][]> {
  const seconds = WARM_UP.rounds * options.seconds
  const requests = Math.min(WARM_UP.requests, options.requests ?? Infinity)
  for (const subject of subjects) {
    await subject.prepare?.()
    await measureCost(subject, { seconds, requests })
  }
  const costs = subjects.map((): Cost[] => [])
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, subject] of subjects.entries())
      costs[index]?.push(await measureRound(subject, options))
  }
  return costs
}

export function medianCost(costs: readonly Cost[]): Cost {
  return {
    cpuUs: median(costs.map(({ cpuUs }) => cpuUs)),
    requestsPerSecond: median(costs.map(({ requestsPerSecond }) => requestsPerSecond)),
  }
}

async function measureRound(subject: Subject, { seconds, requests = Infinity }: Amount): Promise<Cost> {
  await subject.prepare?.()
  await measureCost(subject, { seconds: seconds / 4, requests: Math.ceil(requests / 4) })
  return measureCost(subject, { seconds, requests })
}

export async function measureCost({ server, next, connections }: Subject, amount: Amount): Promise<Cost> {
  const before = await server.usage()
  const { requests, seconds } = await load(server.port, next, connections, amount)
  const after = await server.usage()
  return { cpuUs: (after.cpuUs - before.cpuUs) / requests, requestsPerSecond: requests / seconds }
}
