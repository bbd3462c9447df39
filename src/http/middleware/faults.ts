import type { Context, MiddlewareHandler, Next } from 'hono'

import type { Wait } from '../../testing/faults/connection.ts'
import type { HeldOutcome } from '../../testing/faults/gates.ts'
import { inject, type Injection } from '../../testing/faults/inject.ts'
import { parsePrefer } from '../../testing/faults/prefer.ts'
import { toCaller } from '../../testing/journal/view.ts'
import type { Env } from '../env.ts'
import { receiveUnread } from '../read-body.ts'
import { findMember } from './authenticate.ts'
import { createReport, replaceResponse } from './scenarios.ts'

/** Injects the fault that the request prefers, else one of a scenario, else one of the session. */
export const useFaults: MiddlewareHandler<Env> = (c, next) => {
  const prefer = c.req.header('prefer')
  const { faults, scenarios } = c.get('session')
  if (prefer === undefined && faults.isEmpty && scenarios.isEmpty) return next()
  const injection = (prefer === undefined ? undefined : parsePrefer(prefer)) ?? decideFault(c)
  return injection ? injectFault(c, next, injection) : next()
}

function decideFault(c: Context<Env>): Injection | undefined {
  const { faults, scenarios, clock } = c.get('session')
  const { method, path } = c.req
  const request = { method, path, operationId: c.get('endpoint')?.id }
  const injection = faults.decide(request, clock, scenarios.faults)
  scenarios.countFaults(injection?.id, createReport(c))
  return injection
}

async function injectFault(c: Context<Env>, next: Next, injection: Injection): Promise<void> {
  const { waits } = c.env.sandbox
  const { requests, clock } = c.get('session')
  const entry = c.get('entry')
  if (injection.id !== undefined) entry.markFaulted(injection.id, injection.step)
  // The connection may break.
  await receiveUnread(c)
  const { method, raw } = c.req
  const faulted = await inject(injection, {
    method,
    proceed: async () => {
      await next()
      return c.res
    },
    headers: () => ({ date: clock.httpDate }),
    connection: c.env.connection,
    wait: async (delayMs) => {
      requests.announce(entry)
      try {
        await waits.wait(delayMs, raw.signal)
      } catch (error) {
        // A client that gives up during a delay does not meet what follows it.
        if (delayMs !== Infinity && injection.id !== undefined) entry.markFaulted(injection.id)
        throw error
      }
    },
    hold: (faultId) => holdRequest(c, faultId, waits.begin(Infinity, raw.signal)),
  })
  replaceResponse(c, faulted)
}

async function holdRequest(c: Context<Env>, fault: string, wait: Wait): Promise<HeldOutcome> {
  const session = c.get('session')
  const entry = c.get('entry')
  const member = findMember(c.req.header('authorization'), c.get('data'))
  const outcome = session.faults.gates.hold(
    {
      requestId: entry.id,
      ...(entry.endpoint && { operationId: entry.endpoint.id }),
      method: entry.method,
      path: entry.path,
      caller: toCaller({ caller: member }),
      fault,
      since: entry.time,
    },
    wait,
  )
  session.requests.announce(entry)
  const { status } = await outcome
  session.throwIfDropped()
  if (status !== undefined) entry.markFaulted(fault, status)
  return outcome
}
