import { type Context, Hono } from 'hono'
import * as z from 'zod'

import { after } from '../contract/duration.ts'
import { invalidRequest } from '../contract/errors.ts'
import { utcDateTime } from '../contract/fields.ts'
import type { Environment } from '../http/environment.ts'
import { answer, parsedBody } from './exchange.ts'

const Now = z.strictObject({ now: utcDateTime })
const By = z.strictObject({ by: z.string() })

/** The session's clock: read, set, advanced. */
export function clockRoutes(): Hono<Environment> {
  const app = new Hono<Environment>()
  app.get('/_sandbox/clock', (context) => answerTime(context))
  app.put('/_sandbox/clock', async (context) => {
    const { now } = await parsedBody(context, Now, ['now'])
    context.get('session').clock.set(now)
    return answerTime(context)
  })
  app.post('/_sandbox/clock/advance', async (context) => {
    const { by } = await parsedBody(context, By, ['by'])
    const { clock } = context.get('session')
    clock.set(advanced(clock.now(), by))
    return answerTime(context)
  })
  return app
}

/** An instant moved on. Errors: 400 for what is no duration, or leads past the year 9999. */
export function advanced(now: string, by: string): string {
  const then = after(now, by)
  if (then !== undefined) return then
  const message = 'must be an ISO 8601 duration like P1DT2H that leads no further than the year 9999'
  throw invalidRequest([{ in: 'body', name: 'by', message }])
}

function answerTime(context: Context<Environment>): Response {
  return answer({ now: context.get('session').clock.now() })
}
