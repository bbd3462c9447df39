import type { Context, MiddlewareHandler } from 'hono'

import type { Environment } from '../../http/environment.ts'
import { endpointAt } from '../../http/match.ts'
import type { Faults } from './faults.ts'
import { type Exchange, inject } from './inject.ts'
import { preferred } from './prefer.ts'
import type { Step } from './rule.ts'

/** What the step has to know of the request's session and connection. */
export interface FaultSurroundings extends Pick<Exchange, 'connection' | 'waits'> {
  /** Undefined where the session never had any. */
  readonly faults: Faults | undefined
  /** The session's time. */
  readonly now: () => string
  /** Is told which fault acts, before it does. */
  readonly tell?: (id: string, step: Step) => void
}

/**
 * The step of the pipeline that may answer instead of the service, delay it, or break off.
 * Order: what the request itself prefers, then the session's faults. Errors: as `inject`; 400 for a wrong `Prefer`.
 */
export function faultStep(
  surroundings: (context: Context<Environment>) => FaultSurroundings,
): MiddlewareHandler<Environment> {
  return function fault(context, next) {
    const { method, path } = context.req
    const { faults, now, connection, waits, tell } = surroundings(context)
    const injected =
      preferred(context.req.header('prefer')) ??
      (faults && !faults.isEmpty
        ? faults.take({ method, path, operationId: endpointAt(method, path)?.id }, now)
        : undefined)
    if (!injected) return next()
    if (injected.id !== undefined) tell?.(injected.id, injected.step)
    const proceed = async (): Promise<Response> => {
      await next()
      return context.res
    }
    return injectedInto(context, inject(injected, { request: context.req.raw, proceed, connection, waits }))
  }
}

async function injectedInto(context: Context<Environment>, response: Promise<Response>): Promise<undefined> {
  const injected = await response
  // A response that is set over another takes on its headers, and is a copy: the first one goes away before.
  context.res = undefined
  context.res = injected
}
