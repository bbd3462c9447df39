import { Hono } from 'hono'

import { createResponse } from '../../src/core/response.ts'
import { type Connection, endsConnection, type Waits } from '../../src/faults/connection.ts'
import type { Faults } from '../../src/faults/faults.ts'
import type { Env } from '../../src/http/env.ts'
import { useFaults } from '../../src/http/middleware/faults.ts'
import { problemResponse } from '../../src/http/problem.ts'
import { send } from '../../src/http/response.ts'
import { defaultContract } from '../../src/resources/contract.ts'
import { matchRoute } from '../../src/resources/match-route.ts'

/** The context of a request that the fault middleware reads. */
export interface Surroundings {
  readonly session: {
    readonly knownFaults: Faults | undefined
    readonly clock: { now(): string; readonly isRunning?: boolean }
  }
  readonly connection?: Connection | undefined
  readonly waits: Waits
}

/** Sends a request through the faults of a session to a service. */
export async function sendThroughFaults(
  request: Request,
  { session, connection, waits }: Surroundings,
  proceed: () => Promise<Response>,
): Promise<Response> {
  const app = new Hono<Env>()
  app.onError((error) => {
    if (endsConnection(error)) throw error
    return problemResponse(error)
  })
  app.use(async (c, next) => {
    const state = {
      session: { ...session, requests: { announceDelay: () => undefined } },
      entry: { markFaulted: () => undefined },
      endpoint: matchRoute(c.req.method, c.req.path)?.endpoint,
      state: { contract: defaultContract },
    }
    for (const [name, value] of Object.entries(state)) c.set(name as never, value as never)
    await next()
  })
  app.use(useFaults({ waits } as never))
  app.all('*', async (c) => {
    const response = await proceed()
    const { 'content-type': contentType = '', ...headers } = Object.fromEntries(response.headers)
    return send(c, createResponse(await response.text(), contentType, { status: response.status, headers }))
  })
  return app.fetch(request, { connection })
}
