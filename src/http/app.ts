import { type Handler, Hono, type MiddlewareHandler } from 'hono'

import { allowOrigin, preflightResponse } from '../core/response.ts'
import type { Endpoint } from '../service/endpoint.ts'
import { endpoints } from '../service/index.ts'
import { type Env, findData } from './env.ts'
import { requireCaller } from './middleware/authenticate.ts'
import { cacheResponse } from './middleware/cache.ts'
import { playScenarios, useFaults } from './middleware/faults-and-scenarios.ts'
import { useJournal } from './middleware/journal.ts'
import { isOwn, sessionInBase, stripSessionBase, useSession } from './middleware/session.ts'
import { mount } from './mount.ts'
import { toProblem, unknownPath } from './problem.ts'

/** Answers CORS preflights. Source: assumption A-17. */
const answerPreflight: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.header('access-control-request-method') === undefined) return next()
  const { sandbox, session } = c.env
  const { clock } = session ?? sandbox.sessions.find(sessionInBase(c.req.raw) ?? '') ?? sandbox.defaultSession
  const response = preflightResponse(c.req.raw.headers, 'GET, HEAD, POST', { date: clock.httpDate })
  return allowOrigin(response, c.req.header('origin'))
}

/** Finds the caller, plays scenarios, and responds from the cache: in one step, since each costs 4 % of such a response. */
const admit: Handler<Env> = (c, next) => {
  requireCaller(c)
  const session = c.get('session')
  const { scenarios } = session
  const read = () => {
    c.get('entry').moment = session.moment
    c.env.onAdmitted?.(findData(c))
    return cacheResponse(c, next)
  }
  return scenarios.isEmpty ? read() : playScenarios(c, scenarios, read)
}

const createPipeline = (endpoint?: Endpoint) => [
  useSession('service', useJournal(endpoint)),
  useFaults(admit),
]

/** Records requests that are neither the service's nor the sandbox's own, as of a wrong base URL, and says what is wrong. */
const elsewhere = new Hono<Env>()
elsewhere.onError(toProblem)
elsewhere.options('*', answerPreflight)
elsewhere.all('*', useSession(), useJournal(), unknownPath)

/**
 * All sandboxes of a process as one Hono app: the service under `/v1`, then the control plane.
 * Order of refusals: session, fault, caller, path, organization, parameters, record, body. Source: assumption A-04.
 */
export const app = new Hono<Env>({ getPath: stripSessionBase })
app.onError(toProblem)
app.options('/v1/*', answerPreflight)
for (const endpoint of endpoints) mount(app, endpoint, createPipeline(endpoint))
app.use('/v1/*', ...createPipeline())
app.all('/v1/*', unknownPath)
const others = (request: Request, env: Env['Bindings']) =>
  isOwn(request) ? env.control(request, env) : elsewhere.fetch(request, env)
app.mount('/', others, { replaceRequest: false })
