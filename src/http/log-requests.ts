import { stopwatch, systemTime } from '../core/system-clock.ts'
import { toTarget } from '../testing/journal/entry.ts'
import { maskUrl } from '../testing/journal/view.ts'
import type { Bindings, RequestLog } from './env.ts'

type Answer = (request: Request, bindings: Bindings) => Response | Promise<Response>

/** Prints a line for each request: time, method, path, status, duration, caller, session. A dash is for nobody. */
export function logRequests(answer: Answer, print: (line: string) => void): Answer {
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
      print([systemTime(), method, maskUrl(toTarget(url)), outcome, duration, caller, session].join(' '))
    }
  }
}
