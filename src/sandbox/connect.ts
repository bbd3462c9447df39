import type { ControlParts } from '../control/route.ts'
import { stopwatch, systemTime } from '../core/system-clock.ts'
import { app } from '../http/app.ts'
import type { RequestHandler, RequestLog } from '../http/env.ts'
import { isOwn } from '../http/middleware/session.ts'
import type { attachLab } from '../lab/attach.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { Session } from '../sessions/session.ts'
import type { Connection } from '../testing/faults/connection.ts'
import { toTarget } from '../testing/journal/recorded-request.ts'
import { maskUrl } from '../testing/journal/view.ts'
import { followRedirects } from './follow-redirects.ts'

export type Connected = ReturnType<typeof connect>

export interface ConnectOptions extends Partial<Pick<ControlParts, 'access' | 'builtFile'>> {
  /** Called with a line for each request. */
  readonly log?: PrintRequest | undefined
}

export function connect(
  state: SandboxState,
  attach: typeof attachLab,
  { access, builtFile, log }: ConnectOptions,
) {
  const respond: RequestHandler = (request, bindings) => {
    // One by one: Object.assign takes a cached response 3 % more.
    bindings.sandbox = state
    bindings.control = control
    return app.fetch(request, bindings)
  }
  const lab = attach(state, respond)
  const control = lab.createControl({ access, builtFile })
  const handle = log ? logRequests(respond, log) : respond
  const fetchIn =
    (session?: Session): SandboxFetch =>
    async (input, init, connection) => {
      const request = toRequest(input, init)
      const send = (one: Request) => handle(one, { session, connection })
      // The client of a server follows redirects itself.
      if (connection) return send(request)
      return followRedirects(send, request, typeof init?.body === 'string' ? init.body : undefined)
    }
  return { state, lab, handle, fetchIn }
}

/**
 * Sends a request as the global `fetch` does; a path is that of any host.
 * @param connection the connection that faults break; without it, `fetch` rejects
 */
export type SandboxFetch = (
  input: Request | URL | string,
  init?: RequestInit,
  connection?: Connection,
) => Promise<Response>

const ORIGIN = 'http://sandbox'

export function toRequest(input: Request | URL | string, init?: RequestInit): Request {
  if (typeof input === 'string' || input instanceof URL) return new Request(new URL(input, ORIGIN), init)
  return init === undefined ? input : new Request(input, init)
}

type PrintRequest = (line: string, request: LoggedRequest) => void

/** The subject of a line of the log. */
export interface LoggedRequest {
  readonly isControl: boolean
  /** The id in the journal of its session. */
  readonly id: number | undefined
}

/** Prints a line for each request: time, method, path, status, duration, caller, session. A dash is for nobody. */
function logRequests(answer: RequestHandler, print: PrintRequest): RequestHandler {
  return async (request, bindings) => {
    const { method, url } = request
    const startedMs = stopwatch()
    const log: RequestLog = {}
    let status: number | undefined
    try {
      const response = await answer(request, Object.assign(bindings, { log }))
      status = response.status
      return response
    } finally {
      const { entry, session = '-' } = log
      const { organizationId, id } = entry?.caller ?? {}
      const caller = id === undefined ? '-' : `${organizationId}/${id}`
      const outcome = entry?.isComplete ? entry.status : (status ?? 'aborted')
      const duration = `${(stopwatch() - startedMs).toFixed(1)}ms`
      const line = [systemTime(), method, maskUrl(toTarget(url)), outcome, duration, caller, session].join(
        ' ',
      )
      print(line, { isControl: isOwn(request), id: entry?.id })
    }
  }
}
