import { type Handler, Hono, type MiddlewareHandler } from 'hono'

import { SandboxError } from '../contract/errors.ts'
import { parseInput } from '../contract/issues.ts'
import { ExplainInput, type Explanation, explainTrace } from '../explain/explain.ts'
import { type Preview, PreviewInput, toTarget } from '../explain/preview.ts'
import { Entry } from '../journal/entry.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import { endpoints } from '../resources/index.ts'
import { matchRoute } from '../resources/match-route.ts'
import type { Session } from '../sessions/session.ts'
import { TracingData } from '../store/tracing-data.ts'
import type { DryRunRecord, Env, ServiceHost } from './env.ts'
import { authenticate } from './middleware/authenticate.ts'
import { useSession } from './middleware/session.ts'
import {
  createCall,
  findRecord,
  findMatchedEndpoint,
  mount,
  mountAddress,
  ordered,
  readResult,
  warnOfCommas,
  warnOfFutureCursor,
  warnOfUnknownParameters,
} from './mount.ts'
import { toProblem, unknownPath } from './problem.ts'

/** Runs requests through the service's own middleware and routes, without journal, faults and writes. */
export interface DryRun {
  /** Responds to a request. */
  respond(session: Session, request: DryRequest): Promise<Response>
  /** Shows the response to a GET. Errors: invalid_request that names each field. */
  preview(session: Session, input: unknown): Promise<Preview>
  /** Explains a response, or why a record is not in it. Errors: as preview. */
  explain(session: Session, input: unknown): Promise<Explanation>
}

/** Creates two apps on first use: one responds as the service does, one records how it would. */
export function createDryRun(host: ServiceHost): DryRun {
  let previews: Hono<Env> | undefined
  let traces: Hono<Env> | undefined
  const respond = async (session: Session, request: DryRequest, dryRun?: DryRunRecord): Promise<Response> => {
    previews ??= createDryApp(host, mount)
    return previews.fetch(createRequest(request), { session, dryRun })
  }
  return {
    respond,
    preview: async (session, input) => {
      const { path, token } = parseInput(PreviewInput, input)
      const dryRun: DryRunRecord = { entry: undefined, error: undefined }
      const response = await respond(session, { method: 'GET', path, token }, dryRun)
      return {
        request: `GET ${toTarget(path)}`,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.json(),
        warnings: [...warningsOf(dryRun), ...warnOfScenarios(session)],
      }
    },
    explain: async (session, input) => {
      const { id, method, path, token } = parseInput(ExplainInput, input)
      const data = new TracingData(session.data)
      const dryRun: DryRunRecord = { data, entry: undefined, error: undefined }
      traces ??= createDryApp(host, (app, endpoint) => mountAddress(app, endpoint, recordCall(endpoint)))
      const { status } = await traces.fetch(createRequest({ method, path, token }), { session, dryRun })
      const { contract } = session
      const request = `${method} ${toTarget(path)}`
      const found = { contract, data, request, status, ...nothingFound, ...dryRun.found }
      const warnings = [...warningsOf(dryRun), ...warnOfScenarios(session)]
      return explainTrace({ ...found, error: dryRun.error, warnings }, id)
    },
  }
}

/** A request of a dry run. */
export interface DryRequest {
  readonly method: string
  /** With query; with or without `/v1`. */
  readonly path: string
  readonly token: string
  /** Sent as JSON; undefined for none. */
  readonly body?: unknown
}

const nothingFound = {
  caller: undefined,
  route: undefined,
  isWrite: false,
  lookups: [],
  call: undefined,
  query: undefined,
  rows: [],
} as const

function createDryApp(
  host: ServiceHost,
  mountEndpoint: (app: Hono<Env>, endpoint: Endpoint) => void,
): Hono<Env> {
  const app = new Hono<Env>()
  const respond = toProblem(host)
  app.onError((error, c) => {
    const { dryRun } = c.env
    if (dryRun && error instanceof SandboxError) dryRun.error = error
    return respond(error, c)
  })
  app.use('/v1/*', useSession(host), useDetachedEntry, authenticate(), recordRoute)
  for (const endpoint of endpoints) mountEndpoint(app, endpoint)
  app.all('/v1/*', unknownPath(app))
  return app
}

/** Gives a request an entry outside the journal. */
const useDetachedEntry: MiddlewareHandler<Env> = (c, next) => {
  const { dryRun } = c.env
  const { method, url } = c.req
  const endpoint = findMatchedEndpoint(c)
  const time = c.get('session').clock.now()
  const entry = new Entry(1, time, { method, url, headers: [], credential: undefined }, endpoint, 0)
  c.set('entry', entry)
  c.set('endpoint', endpoint)
  if (dryRun) dryRun.entry = entry
  if (dryRun?.data) c.set('data', dryRun.data)
  return next()
}

/** Records the caller and the endpoint. */
const recordRoute: MiddlewareHandler<Env> = async (c, next) => {
  const { dryRun } = c.env
  const route = matchRoute(c.req.method, c.req.path)
  if (dryRun) dryRun.found = { caller: c.get('caller'), route, isWrite: route?.endpoint.method === 'POST' }
  dryRun?.data?.forget()
  try {
    await next()
  } finally {
    if (dryRun) dryRun.found = { lookups: [...(dryRun.data?.lookups ?? [])], ...dryRun.found }
  }
}

/** Records the call of an endpoint's handler and the rows that it selects, without writing. */
function recordCall(endpoint: Endpoint): Handler<Env> {
  return (c) => {
    const { dryRun } = c.env
    const data = dryRun?.data
    const { status } = c.get('state').contract.bind(endpoint)
    const response = new Response(null, { status })
    if (!dryRun || !data) return response
    warnOfUnknownParameters(c, endpoint)
    data.forget()
    findRecord(c, endpoint)
    const lookups = [...data.lookups]
    const call = createCall(c, endpoint)
    dryRun.found = { ...dryRun.found, lookups, call }
    if (endpoint.method !== 'GET') return response
    const result = readResult(endpoint, call)
    warnOfCommas(c, endpoint, call, result)
    warnOfFutureCursor(c, call)
    const found = ordered(c, endpoint, result)
    const rows = 'page' in found ? found.page(0, found.total) : [found]
    dryRun.found = { ...dryRun.found, query: data.queryOf(result), rows }
    return response
  }
}

function createRequest({ method, path, token, body }: DryRequest): Request {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  return new Request(`http://sandbox${toTarget(path)}`, init)
}

const warningsOf = ({ entry }: DryRunRecord): string[] => entry?.warnings.map(({ message }) => message) ?? []

/** Warns of scenarios that would change the response, because dry runs leave them out. */
function warnOfScenarios({ knownScenarios }: Session): string[] {
  const names = knownScenarios?.namesOfAltering ?? []
  return names.length === 0 ? [] : [`scenarios left out here: ${names.join(', ')}`]
}
