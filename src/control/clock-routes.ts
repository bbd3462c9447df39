import { type Context, Hono } from 'hono'
import * as z from 'zod'

import { utcDateTime } from '../contract/fields.ts'
import type { Environment } from '../http/environment.ts'
import { advanced } from './clock.ts'
import { answer, changedSession, parsedBody } from './exchange.ts'

const Now = z.strictObject({ now: utcDateTime })
const By = z.strictObject({ by: z.string() })

/** The session's clock: read, set, advanced, and put back to where it starts. */
export function clockRoutes(): Hono<Environment> {
  const app = new Hono<Environment>()
  app.get('/_sandbox/clock', (context) => answerTime(context))
  app.put('/_sandbox/clock', async (context) => {
    const { now } = await parsedBody(context, Now, ['now'])
    changedSession(context).clock.set(now)
    return answerTime(context)
  })
  app.post('/_sandbox/clock/advance', async (context) => {
    const { by } = await parsedBody(context, By, ['by'])
    const { clock } = changedSession(context)
    clock.set(advanced(clock.now(), by))
    return answerTime(context)
  })
  app.delete('/_sandbox/clock', (context) => {
    context.get('session').clock.restore(undefined)
    return answerTime(context)
  })
  return app
}

function answerTime(context: Context<Environment>): Response {
  return answer({ now: context.get('session').clock.now() })
}
