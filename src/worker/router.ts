import { Hono, type MiddlewareHandler } from 'hono'

import { guard, isLoopbackName } from '../control/access.ts'
import { GUARDED } from '../control/app.ts'
import { toEnvelope } from '../control/route.ts'
import { SandboxError } from '../core/errors.ts'
import { isObject, parseJson } from '../core/json.ts'
import { endsConnection } from '../faults/connection.ts'
import type { Env } from '../http/env.ts'
import { problemResponse } from '../http/problem.ts'
import { stripSessionBase } from '../http/session-base.ts'
import { configured, findAdminToken, type WorkerEnv } from './options.ts'
import {
  findObject,
  findSessionId,
  listSessionIds,
  noteSession,
  reserveSession,
  SESSIONS,
} from './session-index.ts'

const MAX_LISTED = 100

export function createRouter(env: WorkerEnv): Hono<Env> {
  const app = new Hono<Env>({ getPath: stripSessionBase })
  app.onError((error) => {
    if (endsConnection(error)) throw error
    return problemResponse(error)
  })
  const protect = protectControl(env)
  for (const path of GUARDED) app.use(path, protect)
  app.get(SESSIONS, async ({ req }) => {
    const ids = (await listSessionIds(env)).slice(-MAX_LISTED)
    const reads = ids.map(async (id) => {
      const response = await send(env, id, new Request(new URL(`${SESSIONS}/${id}`, req.url)))
      return response.ok ? [await response.json()] : []
    })
    const sessions = toEnvelope((await Promise.all(reads)).flat())
    return Response.json(sessions, { headers: { 'cache-control': 'no-store' } })
  })
  app.post(SESSIONS, async ({ req: { raw } }) => {
    const text = await raw.text()
    const input = text.trim() === '' ? {} : parseJson(text)
    const open = (body: string): Promise<Response> => {
      const { url, method, signal } = raw
      return route(env, new Request(url, { method, headers: withoutSession(raw), body, signal }))
    }
    // Anything else is left to the session's object to judge.
    if (!isObject(input) || 'id' in input) return open(text)
    const id = await reserveSession(env)
    const response = await open(JSON.stringify({ ...input, id }))
    if (!response.ok) await noteSession(env, id, 'DELETE')
    return response
  })
  app.all(`${SESSIONS}/:id`, ({ req: { raw } }) =>
    route(env, new Request(raw, { headers: withoutSession(raw) })),
  )
  app.all('*', ({ req: { raw } }) => route(env, raw))
  return app
}

async function route(env: WorkerEnv, request: Request): Promise<Response> {
  return send(env, (await findSessionId(request)) ?? 'default', request)
}

async function send(env: WorkerEnv, name: string, request: Request): Promise<Response> {
  const response = await findObject(env, name).fetch(request)
  // The headers of an object's response are immutable.
  return new Response(response.body, response)
}

function withoutSession({ headers }: Request): Headers {
  const others = new Headers(headers)
  others.delete('sandbox-session')
  others.delete('content-length')
  return others
}

function protectControl(env: WorkerEnv): MiddlewareHandler<Env> {
  return (c, next) => {
    const adminToken = findAdminToken(env)
    const { hostname } = new URL(c.req.url)
    if (adminToken === undefined && !isLoopbackName(hostname)) {
      const fact = 'The control plane of a worker requires an admin token, and none is set'
      const secret = 'WORKSPACE_SANDBOX_ADMIN_TOKEN (npx wrangler secret put)'
      throw new SandboxError('forbidden', `${fact}. Set the secret ${secret}, or adminToken in createWorker.`)
    }
    const origins = configured().allowOrigin ?? []
    // Any name is right: the platform routes only the worker's own to it.
    return guard({ hosts: [hostname], origins, adminToken })(c, next)
  }
}
