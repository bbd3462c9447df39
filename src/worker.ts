import { Hono } from 'hono'

import { guard, isLoopbackName } from './control/access.ts'
import { GUARDED } from './control/app.ts'
import { withCallerErrors } from './core/caller-errors.ts'
import { SandboxError } from './core/errors.ts'
import type { Env } from './http/env.ts'
import { stripSessionBase } from './http/middleware/session.ts'
import { problemResponse } from './http/problem.ts'
import { configure, configured, type WorkerEnv, type WorkerOptions } from './sandbox/worker.ts'

export { SandboxError } from './core/errors.ts'
export { type ObjectState, SandboxSession, type WorkerEnv, type WorkerOptions } from './sandbox/worker.ts'

/** A worker, as Cloudflare Workers runs the default export of a module. */
export interface SandboxWorker {
  readonly fetch: (request: Request, env: WorkerEnv) => Promise<Response>
}

/**
 * Creates a Cloudflare worker whose Durable Object holds the sandbox. Bind the class `SandboxSession` as `SESSIONS` in
 * `wrangler.jsonc`, and set the secret `WORKSPACE_SANDBOX_ADMIN_TOKEN`.
 * @throws SandboxError `invalid_request` that names each invalid option
 * @example
 * export { SandboxSession } from 'workspace-sandbox/worker'
 * export default createWorker({ size: 'medium' })
 */
export function createWorker(options: WorkerOptions = {}): SandboxWorker {
  withCallerErrors('option', () => configure(options))
  return { fetch: async (request, env) => createRouter(request, env).fetch(request, {}) }
}

const LOST = 'The object has dropped the request: by a fault, or because it could not store the change.'
const lost = new SandboxError('storage_unavailable', LOST)

function createRouter({ url }: Request, env: WorkerEnv): Hono<Env> {
  const { SESSIONS: objects, WORKSPACE_SANDBOX_ADMIN_TOKEN: secret } = env
  const { adminToken = secret || undefined, allowOrigin: origins = [] } = configured()
  const { hostname } = new URL(url)
  const app = new Hono<Env>({ getPath: stripSessionBase })
  app.onError((error) => problemResponse(error instanceof SandboxError ? error : lost))
  // Any name is right: the platform routes only the worker's own to it.
  const protect = guard({ hosts: [hostname], origins, adminToken })
  const isOpen = adminToken !== undefined || isLoopbackName(hostname)
  for (const path of GUARDED) app.use(path, isOpen ? protect : refuse)
  return app.all('*', async ({ req }) => {
    if (!objects) throw new SandboxError('internal_error', 'Bind the class SandboxSession as SESSIONS.')
    const response = await objects.get(objects.idFromName('default')).fetch(req.raw)
    // The headers of an object's response are immutable.
    return new Response(response.body, response)
  })
}

function refuse(): never {
  const advice = 'Set the secret WORKSPACE_SANDBOX_ADMIN_TOKEN, or adminToken in createWorker.'
  throw new SandboxError('forbidden', `The control plane of a worker requires an admin token. ${advice}`)
}
