import { type Amount, load, type PreparedRequest } from './load.ts'
import type { Server } from './servers.ts'

/** A server at work. */
export interface Subject {
  readonly server: Server
  readonly next: () => PreparedRequest
  readonly connections: number
  /** Runs before each round. */
  readonly prepare?: () => Promise<unknown>
}

const ROUNDS = 5
const SECONDS = 0.6

/** Before the first round, so that functions are compiled. */
const WARM_UP: Amount = { seconds: 1.5, requests: 5_000 }

/**
 * Measures several servers in turn, round by round. A round begins with a quarter of its load, which does not count.
 * Units: microseconds of CPU time for each request. Shape: for each server, the cost in each round.
 */
export async function measureCosts(subjects: readonly Subject[]): Promise<number[][]> {
  for (const subject of subjects) {
    await subject.prepare?.()
    await measureCost(subject, WARM_UP)
  }
  const costs = subjects.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, subject] of subjects.entries()) {
      await subject.prepare?.()
      await measureCost(subject, { seconds: SECONDS / 4 })
      costs[index]?.push(await measureCost(subject, { seconds: SECONDS }))
    }
  }
  return costs
}

/** Measures the CPU time of the server's process for each request. Units: microseconds. */
export async function measureCost({ server, next, connections }: Subject, amount: Amount): Promise<number> {
  const before = await server.usage()
  const requests = await load(server.port, next, connections, amount)
  return ((await server.usage()).cpuUs - before.cpuUs) / requests
}
