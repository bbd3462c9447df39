import { stopwatch, systemTime } from '../core/system-clock.ts'
import type { RequestHandler, RequestLog } from '../http/env.ts'
import { isOwnPath, readPath } from '../http/middleware/session.ts'
import { toTarget } from '../testing/journal/recorded-request.ts'
import { maskUrl } from '../testing/journal/view.ts'

export type PrintRequest = (line: string, request: LoggedRequest) => void

/** The subject of a line of the log. */
export interface LoggedRequest {
  readonly isControl: boolean
  /** The id in the journal of its session. */
  readonly id: number | undefined
}

/** Prints a line for each request: time, method, path, status, duration, caller, session. A dash is for nobody. */
export function logRequests(answer: RequestHandler, print: PrintRequest): RequestHandler {
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
      print(line, { isControl: isOwnPath(readPath(request)), id: entry?.id })
    }
  }
}
