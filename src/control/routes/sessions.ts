import { type Context, Hono } from 'hono'
import * as z from 'zod'

import { SandboxError } from '../../core/errors.ts'
import { validate } from '../../http/validate.ts'
import {
  ensureSession,
  findSession,
  openSession,
  SessionInfo,
  SessionInput,
  SessionName,
} from '../../sessions/open-session.ts'
import type { Session } from '../../sessions/session.ts'
import { type ControlEnv, documentRoute, envelope, IdPath, readOrigin, toEnvelope } from '../route.ts'

export const sessionRoutes = new Hono<ControlEnv>()
  .get('/', documentRoute('listSessions', 'List the sessions', envelope(SessionInfo)), (c) =>
    c.json(toEnvelope(c.env.sandbox.sessions.list().map((session) => toInfo(session, c)))),
  )
  .post(
    '/',
    documentRoute('openSession', 'Open a session', SessionInfo),
    validate('json', SessionInput),
    async (c) => {
      const { sandbox } = c.env
      const input = c.req.valid('json')
      if (input.future === 'living') await sandbox.loadFuture()
      return c.json(toInfo(openSession(sandbox, input), c))
    },
  )
  .put(
    '/:id',
    documentRoute('ensureSession', 'Open a session, or return the one that exists', SessionInfo, [200, 201]),
    validate('param', z.object({ id: SessionName })),
    validate('json', SessionInput.omit({ id: true })),
    async (c) => {
      const { sandbox } = c.env
      const input = { ...c.req.valid('json'), ...c.req.valid('param') }
      if (input.future === 'living') await sandbox.loadFuture()
      const { session, isNew } = ensureSession(sandbox, input)
      return c.json(toInfo(session, c), isNew ? 201 : 200)
    },
  )
  .get('/:id', documentRoute('getSession', 'Read a session', SessionInfo), validate('param', IdPath), (c) =>
    c.json(toInfo(findSession(c.env.sandbox, c.req.valid('param').id), c)),
  )
  .delete('/:id', documentRoute('deleteSession', 'Delete a session'), validate('param', IdPath), (c) => {
    const { sandbox } = c.env
    const { id } = findSession(sandbox, c.req.valid('param').id)
    if (id === undefined)
      throw new SandboxError(
        'conflict',
        'Cannot delete the default session. Reset it with POST /_sandbox/reset.',
      )
    sandbox.sessions.delete(id)
    return c.body(null, 204)
  })

export function createBaseUrl(id: string | undefined, origin: string): string {
  return id === undefined ? `${origin}/v1` : `${origin}/_sandbox/sessions/${id}/v1`
}

function toInfo({ id, name, clock }: Session, c: Context<ControlEnv>): SessionInfo {
  return {
    id: id ?? 'default',
    ...(name !== undefined && { name }),
    baseUrl: createBaseUrl(id, readOrigin(c)),
    now: clock.now(),
    ...(clock.future === 'living' && { future: clock.future }),
  }
}
