import { Hono } from 'hono'

import type { Endpoint } from '../service/endpoint.ts'
import { endpoints } from '../service/index.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { Bindings, Env } from './env.ts'
import { authenticate } from './middleware/authenticate.ts'
import { cacheResponses } from './middleware/cache.ts'
import { answerPreflight } from './middleware/cors.ts'
import { useFaults } from './middleware/faults.ts'
import { noteMoment, type Plugin, useJournal } from './middleware/journal.ts'
import { useScenarios } from './middleware/scenarios.ts'
import { isOwnPath, readPath, stripSessionBase, useSession } from './middleware/session.ts'
import { mount } from './mount.ts'
import { toProblem, unknownPath } from './problem.ts'

/**
 * The sandbox as one Hono app: the service under `/v1`, then the control plane.
 * Order of refusals: session, fault, caller, path, organization, parameters, record, body. Source: assumption A-04.
 */
export function createApp(
  sandbox: SandboxState,
  control: Pick<Hono<Env>, 'fetch'>,
  plugins: readonly Plugin[] = [],
): Hono<Env> {
  const app = new Hono<Env>({ getPath: stripSessionBase })
  app.onError(toProblem(sandbox))
  app.options('/v1/*', answerPreflight(sandbox))
  const cache = cacheResponses(sandbox)
  const createPipeline = (endpoint?: Endpoint) => [
    useSession(sandbox, { isRequired: sandbox.requiresSession }),
    useJournal(endpoint),
    useFaults(sandbox),
    authenticate,
    useScenarios,
    noteMoment(plugins),
    cache,
  ]
  for (const endpoint of endpoints) mount(app, endpoint, createPipeline(endpoint))
  app.use('/v1/*', ...createPipeline())
  app.all('/v1/*', unknownPath)
  const elsewhere = createElsewhere(sandbox)
  const others = (request: Request, ...rest: [Bindings]) =>
    (isOwnPath(readPath(request)) ? control : elsewhere).fetch(request, ...rest)
  app.mount('/', others, { replaceRequest: false })
  return app
}

/** Records requests that are neither the service's nor the sandbox's own, as of a wrong base URL, and says what is wrong. */
function createElsewhere(sandbox: SandboxState): Hono<Env> {
  const app = new Hono<Env>()
  app.onError(toProblem(sandbox))
  app.options('*', answerPreflight(sandbox))
  return app.all('*', useSession(sandbox), useJournal(), unknownPath)
}
