import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { getPath } from 'hono/utils/url'

import { invalidRequest, SandboxError } from '../contract/errors.ts'
import { nearest } from '../contract/nearest.ts'
import { endsConnection } from '../control/faults/connection.ts'
import { faultStep, type FaultSurroundings } from '../control/faults/step.ts'
import type { Host } from '../control/host.ts'
import { controlRoutes } from '../control/routes.ts'
import { unknownSession } from '../control/sessions/routes.ts'
import type { Session } from '../control/sessions/session.ts'
import { endpoints } from '../resources/index.ts'
import { Reading } from '../store/reading.ts'
import { KnownAnswers } from './answers.ts'
import { authenticate } from './authenticate.ts'
import type { Environment } from './environment.ts'
import type { Head } from './head.ts'
import { preflightResponse } from './headers.ts'
import { routePath } from './match.ts'
import { type Kept, mount } from './mount.ts'
import { problemResponse } from './problem.ts'
import { createRecall, KNOWN_ANSWERS } from './recall.ts'
import { record } from './record.ts'
import type { Answer } from './respond.ts'
import { createSerialiser } from './serialise.ts'

const SERVICE_PATH = /^\/v1(?:\/|$)/
const SESSION_PATH = /^\/_sandbox\/sessions\/([^/]+)(\/v1(?:\/.*)?)$/

/** The whole sandbox as functions from a request. */
export interface App {
  /** Answers a request, which came as `origin` says; the answer has no body before it is `whole`. */
  fetch(request: Request, origin: Environment['Bindings']): Response | Promise<Response>
  /** Answers what was answered before and would be answered the same; undefined for what `fetch` has to answer. */
  recall(head: Head): Answer | undefined
}

/** The sandbox: the service, and beside it what the real one does not have. */
export function createApp(host: Host): App {
  const answers = new KnownAnswers(KNOWN_ANSWERS)
  const service = serviceApp(host, { serialise: createSerialiser(), answers })
  const control = answering(new Hono<Environment>())
  control.use(openSession(host))
  control.route('/', controlRoutes(host))
  return {
    fetch: (request, origin) =>
      (SERVICE_PATH.test(servicePathOf(request)) ? service : control).fetch(request, origin),
    recall: createRecall(host, answers),
  }
}

/**
 * The pipeline, one line per step. Routes are bound once; dataset, session and clock are looked up at each call.
 * Order: session, fault, caller, path, query, record, body, handler. Source: assumption A-04.
 */
function serviceApp(host: Host, kept: Kept): Hono<Environment> {
  const app = answering(new Hono<Environment>({ router: new RegExpRouter(), getPath: servicePathOf }))
  app.options('/v1/*', preflight)
  app.use(openSession(host))
  app.use('/v1/*', record)
  app.use('/v1/*', faultStep(faultsOf(host)))
  app.use('/v1/*', authenticate)
  for (const endpoint of endpoints) mount(app, endpoint, kept)
  for (const [path, methods] of methodsByPath()) app.all(routePath(path), methodNotAllowed(methods))
  return app
}

/** Answers what no route answers, and what goes wrong. */
function answering(app: Hono<Environment>): Hono<Environment> {
  app.onError((error) => {
    if (endsConnection(error)) throw error
    return problemResponse(error)
  })
  return app.notFound((context) => problemResponse(unknownPath(context.req.method, context.req.path)))
}

/** A request's path; a session's base URL leads to the service itself. */
function servicePathOf(request: Request): string {
  const path = getPath(request)
  return path.startsWith('/v1') ? path : (SESSION_PATH.exec(path)?.[2] ?? path)
}

function openSession(host: Host): MiddlewareHandler<Environment> {
  return (context, next) => {
    const session = context.env.session ?? namedSession(host, context)
    context.set('session', session)
    context.set('data', new Reading(session.data))
    if (session === host.defaultSession) return next()
    const release = host.sessions.hold(session)
    return next().finally(release)
  }
}

/** The session that a request names by its base URL or its header; the default one without. */
function namedSession(host: Host, { req }: Context<Environment>): Session {
  const fromPath = SESSION_PATH.exec(getPath(req.raw))?.[1]
  const fromHeader = req.header('sandbox-session')
  if (fromPath !== undefined && fromHeader !== undefined && fromPath !== fromHeader) {
    const message = 'names another session than the base URL'
    throw invalidRequest([{ in: 'header', name: 'Sandbox-Session', message }])
  }
  const id = fromPath ?? fromHeader
  if (id !== undefined) return host.sessions.find(id) ?? refuseSession(host, id)
  if (host.requiresSession && SERVICE_PATH.test(req.path)) {
    const message = 'is required here: open a session with POST /_sandbox/sessions and send its id'
    throw invalidRequest([{ in: 'header', name: 'Sandbox-Session', message }])
  }
  return host.defaultSession
}

function refuseSession(host: Host, id: string): never {
  throw unknownSession(host.sessions, id)
}

function faultsOf({ waits }: Host): (context: Context<Environment>) => FaultSurroundings {
  return (context) => {
    const { knownFaults: faults, clock } = context.get('session')
    return {
      faults,
      now: () => clock.now(),
      waits,
      connection: context.env.connection,
      tell: (id, step) => context.get('entry').faulted(id, step),
    }
  }
}

const preflight: MiddlewareHandler<Environment> = async function preflight({ req }, next) {
  if (req.header('access-control-request-method') === undefined) return next()
  return preflightResponse('GET, HEAD, POST')
}

/** The methods of each path, HEAD wherever GET is. Source: assumption A-17. */
function methodsByPath(): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of endpoints) {
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
  }
  return methods
}

function methodNotAllowed(methods: readonly string[]): MiddlewareHandler<Environment> {
  const allow = methods.join(', ')
  return (context) => {
    const detail = `${context.req.method} is not allowed here; allowed: ${allow}.`
    throw new SandboxError('method_not_allowed', detail, { headers: { allow } })
  }
}

function unknownPath(method: string, path: string): SandboxError {
  const known = endpoints.map((endpoint) => `${endpoint.method} /v1${endpoint.path}`)
  const near = nearest(`${method} ${path}`, known)
  const hint =
    near === undefined ? 'GET /openapi.json lists every endpoint.' : `The nearest endpoint is ${near}.`
  return new SandboxError('not_found', `There is no endpoint at this path. ${hint}`)
}
