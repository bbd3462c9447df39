import { Hono } from 'hono'

import type { Environment } from '../http/environment.ts'
import { DatasetOptions } from '../options.ts'
import { version } from '../version.ts'
import { assumptionRoutes } from './assumption-routes.ts'
import { clockRoutes } from './clock-routes.ts'
import { dataRoutes } from './data/routes.ts'
import { answer, changedSession, parsedBody } from './exchange.ts'
import { explainRoutes } from './explain-routes.ts'
import { faultRoutes } from './faults/routes.ts'
import type { Host } from './host.ts'
import { journalRoutes } from './journal/routes.ts'
import { exemplifiedDocument } from './openapi-examples.ts'
import { baseUrlOf, sessionRoutes } from './sessions/routes.ts'
import { visibilityOf } from './visibility.ts'

/** Everything that the real service does not have: how a person or a test steers the sandbox. */
export function controlRoutes(host: Host): Hono<Environment> {
  const app = new Hono<Environment>()
  for (const path of ['/health', '/_sandbox/health']) {
    app.get(path, async (context) => answer(await host.health(context.get('session'))))
  }
  app.get('/_sandbox/credentials', (context) => answer(host.credentials(context.get('session'))))
  app.get('/_sandbox/visibility', (context) => {
    const session = context.get('session')
    return answer(visibilityOf(host.credentials(session), session))
  })
  app.route('/', assumptionRoutes())
  app.post('/_sandbox/reset', async (context) => {
    await host.reset(context.get('session'))
    return answer(host.summary(context.get('session')))
  })
  app.post('/_sandbox/reseed', async (context) => {
    await host.reseed(await parsedBody(context, DatasetOptions, Object.keys(DatasetOptions.shape)))
    return answer(await host.health(context.get('session')))
  })
  app.route('/', clockRoutes())
  app.route('/', explainRoutes())
  app.route('/', faultRoutes(changedSession))
  app.route('/', journalRoutes(host.waits))
  app.route(
    '/',
    dataRoutes((session) => host.arranger(session)),
  )
  app.route('/', sessionRoutes(host.sessions, host.defaultSession))
  app.get('/openapi.json', async (context) => {
    const session = context.get('session')
    const document = await exemplifiedDocument(host, session, version)
    const servers = [{ url: baseUrlOf(session, context.req.url) }]
    const isOpen = session.contract.settings.cors === 'any'
    return answer({ ...document, servers }, isOpen ? { 'access-control-allow-origin': '*' } : {})
  })
  return app
}
