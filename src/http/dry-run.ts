import type { PartialSettings } from '../contract/settings.ts'
import { importSequentially } from '../core/import-sequentially.ts'
import { parseInput } from '../core/issues.ts'
import type { Trace } from '../explain/conditions.ts'
import {
  ExplainInput,
  type Explanation,
  explainTrace,
  type Preview,
  PreviewInput,
  toTarget,
} from '../explain/explain.ts'
import type { Answer } from '../explain/recorded.ts'
import { applyOrder } from '../resources/contract.ts'
import { decodePath, matchRoute } from '../resources/match-route.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { Session } from '../sessions/session.ts'
import { type Lookup, TracingData } from '../store/tracing-data.ts'
import type { Bindings, RequestTrace } from './env.ts'

export type DryRun = ReturnType<typeof createDryRun>

export interface DryRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly body?: unknown
}

/** Runs requests through the service in copies of a session, so that nothing is recorded, counted or stored. */
export function createDryRun(
  state: SandboxState,
  handle: (request: Request, bindings: Bindings) => Response | Promise<Response>,
) {
  const copyWithScenarios = (session: Session): Session =>
    state.copySession(session, { scenarios: session.knownScenarios?.snapshot() })
  const respond = async (session: Session, request: DryRequest, trace?: RequestTrace): Promise<Response> =>
    handle(createRequest(request), { session, trace })
  const answer = async (copy: Session, request: DryRequest, id: number | undefined): Promise<Answer> => {
    const trace: RequestTrace = {}
    const { status } = await respond(copy, request, trace)
    return { explanation: explainTrace(toTrace(copy, request, status, trace), id), stored: copy.data }
  }
  const explainEntry = async (session: Session, requestId: number, id: number | undefined) => {
    const { explainRecorded, rebuildData } = await importSequentially(() => import('../explain/recorded.ts'))
    const entry = session.requests.findAnswered(requestId)
    const { method, target: path, credential: authorization, seen, settings } = entry
    const request = { method, path, authorization }
    const data = seen && rebuildData(session, seen)
    // Without scenarios, so that what they did makes a difference.
    const then = data && state.copySession(session, { data, settings })
    if (seen) then?.clock.set(seen.at)
    const now = copyWithScenarios(session)
    const past = then && (await answer(then, request, id))
    return explainRecorded({ entry, session, id, past, present: await answer(now, request, id) })
  }
  return {
    respond,
    /** Shows the response to a GET. Errors: invalid_request that names each field. */
    preview: async (session: Session, input: unknown, assumptions?: PartialSettings): Promise<Preview> => {
      const { path, token } = parseInput(PreviewInput, input)
      const copy = copyWithScenarios(session)
      copy.assume(assumptions ?? {})
      const response = await respond(copy, { method: 'GET', path, authorization: `Bearer ${token}` })
      return {
        request: `GET ${toTarget(path)}`,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.json(),
        warnings: listWarnings(copy),
      }
    },
    /** Explains a response, or why a record is not in it. Errors: as preview; not_found and conflict for a recorded request. */
    explain: async (session: Session, input: unknown): Promise<Explanation> => {
      const { requestId, id, method = 'GET', path = '', token = '' } = parseInput(ExplainInput, input)
      if (requestId === undefined) {
        const request = { method, path, authorization: `Bearer ${token}` }
        return (await answer(copyWithScenarios(session), request, id)).explanation
      }
      return explainEntry(session, requestId, id)
    },
  }
}

function toTrace(copy: Session, request: DryRequest, status: number, seen: RequestTrace): Trace {
  const { method } = request
  const target = toTarget(request.path)
  const [entry] = copy.requests.entries()
  const route = matchRoute(method, decodePath(target))
  const { data = new TracingData(copy.data), call, error, scenarios = [] } = seen
  const result = seen.readAgain?.()
  const ordered = route && result && applyOrder(copy.settings, route.endpoint, result)
  return {
    contract: copy.contract,
    data,
    stored: copy.data,
    scenarios,
    // A request that was not refused has reached its data.
    refusal: seen.data ? undefined : entry?.scenarios.at(-1),
    request: `${method} ${target}`,
    status,
    error,
    caller: entry?.caller,
    isWrite: route?.endpoint.method === 'POST',
    route,
    lookups: (seen.lookups ?? data.lookups).filter(isFirst),
    call,
    query: result && data.queryOf(result),
    rows: ordered ? ('page' in ordered ? ordered.page() : [ordered]) : [],
    warnings: listWarnings(copy),
  }
}

const isFirst = ({ table, id }: Lookup, at: number, all: readonly Lookup[]): boolean =>
  all.findIndex((one) => one.table === table && one.id === id) === at

const listWarnings = ({ requests }: Session): string[] =>
  requests.entries().flatMap(({ warnings }) => warnings.map(({ message }) => message))

function createRequest({ method, path, authorization, body }: DryRequest): Request {
  const headers = { ...(authorization && { authorization }), 'content-type': 'application/json' }
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  return new Request(`http://sandbox${toTarget(path)}`, init)
}
