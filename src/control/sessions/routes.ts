import { type Context, Hono } from 'hono'

import type { Environment } from '../../http/environment.ts'
import { answer, controlHeaders, jsonOf } from '../exchange.ts'
import { openedSession, parsedSession, unknownSession } from './input.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

/** Sessions: opened, listed, read, deleted. */
export function sessionRoutes(sessions: Sessions, defaultSession: Session): Hono<Environment> {
  const app = new Hono<Environment>()
  const found = (context: Context): Session => {
    const id = context.req.param('id') ?? ''
    const session = sessions.find(id)
    if (!session) throw unknownSession(sessions, id)
    return session
  }
  app.get('/_sandbox/sessions', (context) => {
    const items = sessions.list().map((session) => described(session, context))
    return answer({ items, totalCount: items.length })
  })
  app.post('/_sandbox/sessions', async (context) => {
    const input = parsedSession(await jsonOf(context))
    return answer(described(openedSession(sessions, defaultSession, input), context))
  })
  app.get('/_sandbox/sessions/:id', (context) => answer(described(found(context), context)))
  app.delete('/_sandbox/sessions/:id', (context) => {
    sessions.delete(found(context).id ?? '')
    return new Response(null, { status: 204, headers: controlHeaders })
  })
  return app
}

function described(session: Session, context: Context): object {
  const { origin } = new URL(context.req.url)
  return {
    id: session.id,
    ...(session.name !== undefined && { name: session.name }),
    baseUrl: `${origin}/_sandbox/sessions/${session.id}/v1`,
    now: session.clock.now(),
  }
}
