import type { Context, Handler, MiddlewareHandler } from 'hono'

import { DEFAULT_LIMIT } from '../../contract/fields.ts'
import { isObject, readShown, type Shown } from '../../core/json.ts'
import { createResponse, readContent } from '../../core/response.ts'
import type { Wait } from '../../testing/faults/connection.ts'
import type { HeldOutcome } from '../../testing/faults/gates.ts'
import { inject, type Injection } from '../../testing/faults/inject.ts'
import { parsePrefer } from '../../testing/faults/prefer.ts'
import { toCaller } from '../../testing/journal/view.ts'
import type { AnsweredRequest, ScenarioRequest } from '../../testing/scenarios/definition.ts'
import type { Report } from '../../testing/scenarios/make-change.ts'
import type { Scenarios } from '../../testing/scenarios/scenarios.ts'
import { type Env, findData, readRareHeader, replaceResponse } from '../env.ts'
import { toProblem } from '../problem.ts'
import { receiveUnread } from '../read-body.ts'
import { countRenewals, findMember } from './authenticate.ts'

/**
 * Injects the fault that the request prefers, else one of a scenario, else one of the session.
 * @param then the middleware after it: as a step of its own, it would take a cached response 4 % more
 */
export const useFaults =
  (then: Handler<Env>): MiddlewareHandler<Env> =>
  (c, next) => {
    const prefer = readRareHeader(c, 'prefer')
    const { faults, scenarios } = c.get('session')
    if (prefer === undefined && faults.isEmpty && scenarios.isEmpty) return then(c, next)
    const injection = (prefer === undefined ? undefined : parsePrefer(prefer)) ?? decideFault(c)
    if (!injection) return then(c, next)
    const proceed = async (): Promise<Response> => {
      try {
        return take(c, await then(c, next))
      } catch (error) {
        if (error instanceof Error) return toProblem(error, c)
        throw error
      }
    }
    return injectFault(c, proceed, injection)
  }

/** Takes over what a later step has returned: a response, unless Hono has it already. */
function take(c: Context<Env>, returned: Response | void): Response {
  if (returned && !c.finalized) c.res = returned
  return c.res
}

function decideFault(c: Context<Env>): Injection | undefined {
  const { faults, scenarios, clock } = c.get('session')
  const request = { method: c.req.method, path: c.req.path, operationId: c.get('entry').endpoint?.id }
  const injection = faults.decide(request, clock, scenarios.faults)
  scenarios.countFaults(injection?.id, createReport(c))
  return injection
}

async function injectFault(
  c: Context<Env>,
  proceed: () => Promise<Response>,
  injection: Injection,
): Promise<void> {
  const { waits } = c.env.sandbox
  const { requests, clock } = c.get('session')
  const entry = c.get('entry')
  if (injection.id !== undefined) entry.markFaulted(injection.id, injection.step)
  // The connection may break.
  await receiveUnread(c)
  const { method, raw } = c.req
  const faulted = await inject(injection, {
    method,
    proceed,
    headers: () => ({ date: clock.httpDate }),
    connection: c.env.connection,
    wait: async (delayMs) => {
      requests.announce(entry)
      try {
        await waits.begin(delayMs, raw.signal).over
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

async function holdRequest(c: Context<Env>, fault: string, wait: Wait<HeldOutcome>): Promise<HeldOutcome> {
  const session = c.get('session')
  const entry = c.get('entry')
  const member = findMember(c.req.header('authorization'), findData(c))
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

function createReport(c: Context<Env>): Report {
  const { data } = c.get('session')
  return ({ id, name }, did) => c.get('entry').addScenario({ id, name, did, revision: data.revision })
}

/**
 * Plays the session's scenarios: they refuse requests, show other data, change responses, and change data between requests.
 * @param read responds, or lets the next middleware do so
 */
export async function playScenarios(
  c: Context<Env>,
  scenarios: Scenarios,
  read: () => Response | Promise<void>,
): Promise<void> {
  const request = describeRequest(c)
  // A step that reads the body replaces the request.
  const { signal } = c.req.raw
  const report = createReport(c)
  if (!signal.aborted) await scenarios.prepare(request, report)
  scenarios.refuse(request, report)
  const view = scenarios.view(request, report)
  if (view) c.set('shown', view)
  const { body, head } = readContent(take(c, await read()))
  if (signal.aborted || head.status >= 300 || !body) return
  const value: unknown = JSON.parse(new TextDecoder().decode(body.bytes))
  const content = readShown(value)
  const answered: AnsweredRequest = {
    ...request,
    hasResponse: true,
    ids: content.records.flatMap(({ id }) => (typeof id === 'number' ? [id] : [])),
    page: head.page ?? findSlice(c, content.records.length),
  }
  const sent = scenarios.rewrite(content, answered, report)
  if (sent) replaceResponse(c, createResponse(JSON.stringify(replaceShown(value, sent)), head))
  try {
    await scenarios.answer(answered, report)
  } catch (error) {
    // An error would say that nothing was stored.
    if (c.req.method !== 'POST') throw error
  }
}

function describeRequest(c: Context<Env>): ScenarioRequest {
  const customerId = Number(c.req.param('customerId'))
  return {
    endpoint: c.get('entry').endpoint,
    caller: c.get('caller'),
    customerId: Number.isInteger(customerId) ? customerId : undefined,
    offset: readOffset(c),
    renewals: countRenewals(c.req.header('authorization')),
    settings: c.get('contract').settings,
  }
}

/** Finds the page of a list that is sent as a bare array; a full page may have a next one. Source: assumption A-01. */
function findSlice(c: Context<Env>, count: number): AnsweredRequest['page'] {
  if (c.get('entry').endpoint?.returns !== 'page') return undefined
  const limit = Number(c.req.query('limit') ?? DEFAULT_LIMIT)
  const offset = readOffset(c)
  const end = offset + count
  return { offset, total: count < limit ? end : end + 1 }
}

const readOffset = (c: Context<Env>): number => Number(c.req.query('offset') ?? 0)

/** Puts the records that a scenario has changed into a body, and their total if it has one. */
function replaceShown(body: unknown, { records, total }: Shown): unknown {
  if (Array.isArray(body)) return records
  if (!isObject(body) || !Array.isArray(body['items'])) return records[0]
  return { ...body, items: records, ...(total !== undefined && { totalCount: total }) }
}
