import { Hono } from 'hono'

import type { Environment } from '../http/environment.ts'
import { answer, jsonOf } from './exchange.ts'
import { explained } from './explain.ts'
import { previewed } from './preview.ts'

/** What an answer is, why it is that, or why a record is not in it. Errors: 400 that names each wrong field. */
export function explainRoutes(): Hono<Environment> {
  const app = new Hono<Environment>()
  app.post('/_sandbox/explain', async (context) =>
    answer(await explained(context.get('session'), await jsonOf(context))),
  )
  app.post('/_sandbox/preview', async (context) =>
    answer(await previewed(context.get('session'), await jsonOf(context))),
  )
  return app
}
