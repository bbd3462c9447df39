import type { Soon } from '../../http/flow.ts'
import { type Answer, answerOf, responseOf } from '../../http/respond.ts'
import type { Endpoint } from '../../resources/endpoint.ts'
import type { Faults } from './faults.ts'
import { type Exchange, inject } from './inject.ts'
import { preferred } from './prefer.ts'
import type { Step } from './rule.ts'

/** A request, as far as faults look at it. */
export interface Faulted extends Pick<Request, 'method' | 'signal'> {
  readonly path: string
  header(name: string): string | undefined
}

/** What the step has to know of the request's session and connection. */
export interface FaultSurroundings extends Pick<Exchange, 'connection' | 'waits'> {
  readonly session: {
    /** Undefined where the session never had any. */
    readonly knownFaults: Faults | undefined
    readonly clock: { now(): string; readonly isRunning?: boolean }
  }
  /** Is told which fault acts, before it does. */
  readonly entry?: { faulted(id: string, step: Step): void }
}

/**
 * The step of the pipeline that may answer instead of the service, delay it, or break off.
 * Order: what the request itself prefers, then the session's faults. Errors: as `inject`; 400 for a wrong `Prefer`.
 */
export function throughFaults(
  request: Faulted,
  endpoint: Pick<Endpoint, 'id'> | undefined,
  { session, connection, waits, entry }: FaultSurroundings,
  proceed: () => Soon<Answer>,
): Soon<Answer | Response> {
  const { method, path } = request
  const { knownFaults: faults, clock } = session
  const injected =
    preferred(request.header('prefer')) ??
    (faults && !faults.isEmpty
      ? faults.take({ method, path, operationId: endpoint?.id }, () => clock.now(), clock.isRunning)
      : undefined)
  if (!injected) return proceed()
  if (injected.id !== undefined) entry?.faulted(injected.id, injected.step)
  const asResponse = async (): Promise<Response> => responseOf(await proceed())
  const answered = inject(injected, { request, proceed: asResponse, connection, waits })
  return answered.then((response) => answerOf(response) ?? response)
}
