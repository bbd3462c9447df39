import { type Amount, type Asked, load } from './load.ts'
import type { Server } from './servers.ts'
import { medianOf } from './statistics.ts'

/** What requests cost a server. */
export interface Cost {
  /** CPU time of the server's process, for each request. */
  readonly cpuUs: number
  readonly requestsPerSecond: number
}

/** A server, and what it is asked. */
export interface Side {
  readonly server: Server
  readonly next: () => Asked
  readonly connections: number
  /** Makes the server ready for a round. */
  readonly prepare?: () => Promise<unknown>
}

/** What goes ahead of the first round, so that functions are compiled by then: so many rounds, and requests at most. */
const WARM_UP = { rounds: 2.5, requests: 5_000 }

/** How much is measured; a quarter of each round goes ahead of it and does not count. */
export interface Extent extends Amount {
  readonly rounds: number
}

/**
 * What several servers cost, round by round: in each, every one of them has its turn.
 * Shape: the costs of the rounds, for each server.
 */
export async function costsOf(sides: readonly Side[], extent: Extent): Promise<Cost[][]> {
  const seconds = WARM_UP.rounds * extent.seconds
  const requests = Math.min(WARM_UP.requests, extent.requests ?? Infinity)
  for (const side of sides) {
    await side.prepare?.()
    await costOf(side, { seconds, requests })
  }
  const costs = sides.map((): Cost[] => [])
  for (let round = 0; round < extent.rounds; round += 1) {
    for (const [index, side] of sides.entries()) costs[index]?.push(await costOfRound(side, extent))
  }
  return costs
}

/** The median of several rounds' costs. */
export function medianCost(costs: readonly Cost[]): Cost {
  return {
    cpuUs: medianOf(costs.map(({ cpuUs }) => cpuUs)),
    requestsPerSecond: medianOf(costs.map(({ requestsPerSecond }) => requestsPerSecond)),
  }
}

async function costOfRound(side: Side, { seconds, requests = Infinity }: Amount): Promise<Cost> {
  await side.prepare?.()
  await costOf(side, { seconds: seconds / 4, requests: Math.ceil(requests / 4) })
  return costOf(side, { seconds, requests })
}

/** What one load costs a server. */
export async function costOf({ server, next, connections }: Side, amount: Amount): Promise<Cost> {
  const before = await server.usage()
  const { requests, seconds } = await load(server.port, next, connections, amount)
  const after = await server.usage()
  return { cpuUs: (after.cpuUs - before.cpuUs) / requests, requestsPerSecond: requests / seconds }
}
