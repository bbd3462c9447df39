import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { getPath } from 'hono/utils/url'

import { guard } from '../control/access.ts'
import { explained } from '../control/explain.ts'
import { endsConnection } from '../control/faults/connection.ts'
import type { Host } from '../control/host.ts'
import { pageRoutes } from '../control/pages.ts'
import { previewed } from '../control/preview.ts'
import { controlRoutes } from '../control/routes.ts'
import type { Environment } from './environment.ts'
import type { AnswerWeb } from './exchange.ts'
import { problemAnswer } from './problem.ts'
import { webRequest } from './request.ts'
import { responseOf, shared } from './respond.ts'
import { type Service, unknownPath } from './service.ts'
import { sessionOf } from './session-of.ts'

const SESSION_PATH = /^\/_sandbox\/sessions\/([^/]+)(\/v1(?:\/.*)?)$/

/** Everything that the control plane's guard protects: all but the service and its description. */
const GUARDED = ['/', '/_sandbox/*', '/health', '/docs/*'] as const

/** What is loaded with the first web request. */
export interface WebApp {
  readonly fetch: AnswerWeb
  readonly explain: typeof explained
  readonly preview: typeof previewed
}

/** The sandbox as web requests reach it: the service, and what the real one does not have. */
export function createWebApp(host: Host, service: Service): WebApp {
  const app = new Hono<Environment>({ getPath: (request) => addressOf(request).path })
  const refuse = (error: unknown): Response =>
    responseOf(shared(problemAnswer(error), host.defaultSession.contract.settings))
  app.onError((error) => {
    if (endsConnection(error)) throw error
    return refuse(error)
  })
  app.all('/v1/*', async ({ req, env }) => {
    const answer = await service.answer(webRequest(req.raw, addressOf(req.raw)), env)
    return answer instanceof Response ? answer : responseOf(answer)
  })
  if (host.access) {
    const guarded = guard(host.access)
    for (const path of GUARDED) app.use(path, guarded)
  }
  // Pages need no admin token, so they must not learn about sessions.
  app.route('/', pageRoutes(host.builtFile))
  for (const path of ['/_sandbox/*', '/health']) app.use(path, openSession(host, true))
  app.use('/openapi.json', openSession(host, false))
  app.route('/', controlRoutes(host))
  app.notFound(({ req }) => refuse(unknownPath(req.method, req.path)))
  return { fetch: (request, origin) => app.fetch(request, origin), explain: explained, preview: previewed }
}

/** The path that is asked for; a session's base URL leads to the service itself. */
function addressOf(request: Request): { readonly path: string; readonly base: string | undefined } {
  const path = getPath(request)
  const [, base, inside] = path.startsWith('/v1') ? [] : (SESSION_PATH.exec(path) ?? [])
  return { path: inside ?? path, base }
}

/** Resolves the session that a call is about, which is the default one unless it names another. */
function openSession(host: Host, suggestsOthers: boolean): MiddlewareHandler<Environment> {
  return async (context: Context<Environment>, next) => {
    const header = (name: string) => context.req.header(name)
    const strictness = { isRequired: false, suggestsOthers }
    const session = context.env.session ?? sessionOf(host, { base: undefined, header }, strictness)
    context.set('session', session)
    const release = host.sessions.hold(session)
    try {
      await next()
    } finally {
      release()
    }
  }
}
