import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { RouterRoute } from 'hono/types'

import { SandboxError } from '../core/errors.ts'
import { loadOnce } from '../core/import-sequentially.ts'
import { nearest } from '../core/nearest.ts'
import { runInSlices } from '../core/slices.ts'
import { useSession } from '../http/middleware/session.ts'
import {
  hasExtraSlash,
  nameMethod,
  problemResponse,
  rejectOtherMethods,
  REMOVE_SLASH,
  unknownPathError,
} from '../http/problem.ts'
import { endsConnection } from '../testing/faults/connection.ts'
import { guard } from './access.ts'
import { createControlDocument, OpenApiDocument, toTemplate } from './openapi.ts'
import { addHeaders, type ControlEnv, documentRoute, readOrigin, sendJson } from './route.ts'
import { assumptionRoutes } from './routes/assumptions.ts'
import { clockRoutes } from './routes/clock.ts'
import { dataRoutes } from './routes/data.ts'
import { datasetRoutes, healthRoutes, overviewRoutes } from './routes/dataset.ts'
import { faultRoutes, gateRoutes } from './routes/faults.ts'
import { pageRoutes } from './routes/pages.ts'
import { harRoutes, requestRoutes } from './routes/requests.ts'
import { scenarioRoutes } from './routes/scenarios.ts'
import { serviceDocumentRoutes } from './routes/service-document.ts'
import { sessionRoutes } from './routes/sessions.ts'

/** The paths that the guard protects: all except the service and its OpenAPI document. */
export const GUARDED = ['/', '/_sandbox/*', '/health', '/docs/*', '/llms.txt'] as const

/**
 * Creates the control plane of all sandboxes, to which the laboratory adds its routes. Its type is inferred from the routes,
 * and types the console's client.
 */
export function createControlApp() {
  const app = new Hono<ControlEnv>()
  app.onError((error) => {
    if (endsConnection(error)) throw error
    return problemResponse(error)
  })
  const findMethods = createMethodFinder(app)
  const describe = loadOnce(() => runInSlices(createControlDocument(app.routes)))
  for (const path of GUARDED)
    app.use(path, (c, next) => (c.env.access ? guard<ControlEnv>(c.env.access)(c, next) : next()))
  app.use(addHeaders, (c, next) => {
    rejectOtherMethods(c, findMethods(c.req.path))
    return next()
  })
  // Pages need no admin token, so they must not learn about sessions.
  app.route('/', pageRoutes)
  app.use('/_sandbox/*', useSession('control'))
  // Anybody may read these.
  for (const path of ['/health', '/openapi.json']) app.use(path, useSession())
  const routes = app
    .route('/health', healthRoutes('getServerHealth'))
    .route('/openapi.json', serviceDocumentRoutes('getServiceDocument'))
    // For servers where an application of the user's has a document of its own.
    .route('/_sandbox/service/openapi.json', serviceDocumentRoutes('getServiceOpenApi'))
    .route('/_sandbox', datasetRoutes)
    .route('/_sandbox/assumptions', assumptionRoutes)
    .route('/_sandbox/clock', clockRoutes)
    .route('/_sandbox/data', dataRoutes)
    .route('/_sandbox/faults', faultRoutes)
    .route('/_sandbox/gates', gateRoutes)
    .route('/_sandbox/overview', overviewRoutes)
    .route('/_sandbox/requests', requestRoutes)
    .route('/_sandbox/requests.har', harRoutes)
    .route('/_sandbox/scenarios', scenarioRoutes)
    .route('/_sandbox/sessions', sessionRoutes)
    .get(
      '/_sandbox/openapi.json',
      documentRoute('getControlDocument', 'Read the OpenAPI document of the control plane', OpenApiDocument),
      async (c) => {
        const document: object = { ...(await describe()), servers: [{ url: readOrigin(c) }] }
        return sendJson(c, document)
      },
    )
  app.notFound((c) => {
    const { path } = c.req
    const isSlashed = hasExtraSlash(path, findMethods)
    if (!path.startsWith('/_sandbox/')) throw unknownPathError(c, isSlashed)
    const segments = path.split('/')
    // By what they would be with the ids of this path, or the nearest to one fault would be all faults.
    const routesByName = new Map(
      app.routes.flatMap((route) => {
        const named = route.path.split('/').map((part, at) => (part.startsWith(':') && segments[at]) || part)
        const template = `${route.method} ${toTemplate(route.path)}`
        return route.method === 'ALL' ? [] : [[`${route.method} ${named.join('/')}`, template]]
      }),
    )
    const near = nearest(`${nameMethod(c)} ${path}`, [...routesByName.keys()])
    const advice = near === undefined ? '' : ` The nearest is ${routesByName.get(near)}.`
    const hint = isSlashed ? ` ${REMOVE_SLASH}` : advice
    const detail = `There is no control route at this path.${hint} GET /_sandbox/openapi.json describes all of them.`
    throw new SandboxError('not_found', detail)
  })
  return routes
}

/**
 * Creates a function that lists the methods of a path, which follow from the routes of an app; GET implies HEAD. If several
 * routes have the path, the first counts, as in Hono. Shape: empty for an unknown path.
 */
function createMethodFinder(app: { readonly routes: readonly RouterRoute[] }) {
  let router: TrieRouter<RouterRoute> | undefined
  return (path: string): string[] => {
    if (!router) {
      router = new TrieRouter()
      for (const route of app.routes) if (route.method !== 'ALL') router.add('ALL', route.path, route)
    }
    const routes = router.match('ALL', path)[0].map(([route]) => route)
    const first = routes.filter((route) => route.path === routes[0]?.path)
    return [...new Set(first.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)))]
  }
}
