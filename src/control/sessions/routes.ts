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

/** The base URL of the service in a session, at the server that was asked. */
export function baseUrlOf({ id }: Session, url: string): string {
  const { origin } = new URL(url)
  return id === undefined ? `${origin}/v1` : `${origin}/_sandbox/sessions/${id}/v1`
}

function described(session: Session, context: Context): object {
  return {
    id: session.id,
    ...(session.name !== undefined && { name: session.name }),
    baseUrl: baseUrlOf(session, context.req.url),
    now: session.clock.now(),
  }
}
