import { Hono } from 'hono'

import type { Environment } from '../http/environment.ts'
import { answer, jsonOf } from './exchange.ts'
import { explained } from './explain.ts'

/** Why an answer is what it is, or why a record is not in it. Errors: 400 that names each wrong field. */
export function explainRoutes(): Hono<Environment> {
  const app = new Hono<Environment>()
  app.post('/_sandbox/explain', async (context) =>
    answer(await explained(context.get('session'), await jsonOf(context))),
  )
  return app
}
