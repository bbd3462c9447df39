import { type ControlEnv, createRequest } from '../../control/route.ts'
import { parseInput } from '../../core/issues.ts'
import { isObject, parseJson } from '../../core/json.ts'
import { readInSlices } from '../../core/slices.ts'
import { decodePath, matchRoute } from '../../service/match-route.ts'
import type { Session } from '../../sessions/session.ts'
import type { Data } from '../../store/session-data.ts'
import { parseTarget } from '../../testing/request-target.ts'
import { explainRun } from './explain-run.ts'
import { explainRecorded } from './recorded.ts'
import { ExplainInput, type Explanation, type Preview, PreviewInput, toTarget } from './schemas.ts'

interface PlayedRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
}

type ExplainHost = Pick<ControlEnv['Bindings'], 'sandbox' | 'respond'>

/** Copies a session for a request, so that nothing is recorded, counted or stored. */
const copyWithScenarios = ({ sandbox }: ExplainHost, session: Session): Session =>
  sandbox.copySession(session, { scenarios: session.scenarios.snapshot() })

/** Runs a request, and leaves the copy's data and time as the request has read them. */
export async function runRequest(host: ExplainHost, copy: Session, request: PlayedRequest) {
  copy.assume({ errorFormat: 'problem' })
  const target = request.path
  const look = (data: Data) => {
    return { data, snapshot: copy.data.snapshot(), now: copy.clock.now(), acts: listActs(copy) }
  }
  let observed: ReturnType<typeof look> | undefined
  // The response to a HEAD request would not say what is wrong.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const response = await host.respond(createRequest(method, target, request.authorization), {
    session: copy,
    onAdmitted: (data) => (observed = look(data)),
  })
  const body = response.status >= 400 ? parseJson(await response.text()) : undefined
  // After the response, scenarios may have changed the data, and the clock may have moved.
  if (observed) {
    copy.data.restore(observed.snapshot)
    copy.clock.set(observed.now)
  }
  const [entry] = copy.requests.entries()
  const route = matchRoute(request.method, decodePath(target))
  const errors = isObject(body) && Array.isArray(body['errors']) ? body['errors'] : undefined
  // The body of a write is not explained, and everything else is checked before it.
  const isValid = body === undefined || errors?.every((one) => one.in === 'body') === true
  const { settings, contract } = copy
  const address = observed && isValid ? parseTarget(contract, request.method, target) : undefined
  const caller = entry?.caller
  const base = address && caller && observed && { path: address.path, caller, data: observed.data, settings }
  const record = await readInSlices(() => base && address.endpoint.find?.(base))
  const now = observed?.now ?? ''
  return {
    copy,
    request: `${request.method} ${target}`,
    status: isValid && route ? contract.bind(route.endpoint).status : response.status,
    problem: isValid || !isObject(body) ? undefined : { detail: String(body['detail']), errors },
    caller,
    route,
    acts: observed?.acts ?? listActs(copy),
    /** What the request read, with what scenarios show in place of it. */
    data: observed?.data,
    /** The argument of the endpoint's handler. */
    call: base && { ...base, query: address.query, record, body: undefined, now: () => now },
    warnings: listWarnings(copy),
  }
}

/** Shows the response to a GET. Errors: invalid_request that names each field. */
export async function preview(host: ExplainHost, session: Session, input: unknown): Promise<Preview> {
  const { path, token } = parseInput(PreviewInput, input)
  const copy = copyWithScenarios(host, session)
  const target = toTarget(path)
  const response = await host.respond(createRequest('GET', target, `Bearer ${token}`), { session: copy })
  return {
    request: `GET ${target}`,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.json(),
    warnings: listWarnings(copy),
  }
}

/** Explains a response, or why a record is not in it. Errors: as preview; not_found and conflict for a recorded request. */
export async function explain(host: ExplainHost, session: Session, input: unknown): Promise<Explanation> {
  const { requestId, id, method = 'GET', path = '', token = '' } = parseInput(ExplainInput, input)
  const explainIn = async (copy: Session, request: PlayedRequest) => {
    const ran = await runRequest(host, copy, request)
    return readInSlices(() => explainRun(ran, id))
  }
  const explainNow = async (request: PlayedRequest) => explainIn(copyWithScenarios(host, session), request)
  if (requestId === undefined)
    return explainNow({ method, path: toTarget(path), authorization: `Bearer ${token}` })
  const entry = session.requests.findAnswered(requestId)
  const { target, credential: authorization, moment, settings } = entry
  const request = { method: entry.method, path: target, authorization }
  const commits = moment && session.data.history.listBetween(moment.revision, session.data.revision)
  // Without scenarios, so that what they did makes a difference.
  const copy = commits && host.sandbox.copySession(session, { data: session.data.undo(commits), settings })
  if (moment) copy?.clock.set(moment.at)
  const past = copy && (await explainIn(copy, request))
  const now = await explainNow(request)
  return readInSlices(() => explainRecorded({ entry, session, id, commits, past, now }))
}

const listActs = ({ requests }: Session) => requests.entries().flatMap(({ scenarios }) => scenarios)

const listWarnings = ({ requests }: Session): string[] =>
  requests.entries().flatMap(({ warnings }) => warnings.map(({ message }) => message))
