import { getOrCreate } from './core/maps.ts'
import { configure, type WorkerOptions, type WorkerEnv } from './worker/options.ts'
import { createRouter } from './worker/router.ts'

export { SandboxError } from './core/errors.ts'
export type { WorkerOptions } from './worker/options.ts'
export type { ObjectNamespace, ObjectState, WorkerEnv } from './worker/options.ts'
export { SandboxSession } from './worker/session-object.ts'

/** A worker, as Cloudflare Workers runs the default export of a module. */
export interface SandboxWorker {
  /** Answers a request: the service at `/v1`, the control plane at `/_sandbox`. */
  readonly fetch: (request: Request, env: WorkerEnv) => Promise<Response>
}

/**
 * Creates a Cloudflare worker with the sandbox, in which each session is a Durable Object, the default one
 * included. Bind the class `SandboxSession` in `wrangler.jsonc`, and set the secret `WORKSPACE_SANDBOX_ADMIN_TOKEN`.
 * @throws SandboxError `invalid_request` that names each invalid option
 * @example
 * export { SandboxSession } from 'workspace-sandbox/worker'
 * export default createWorker({ size: 'medium' })
 */
export function createWorker(options: WorkerOptions = {}): SandboxWorker {
  configure(options)
  const routers = new WeakMap<WorkerEnv, ReturnType<typeof createRouter>>()
  return {
    fetch: async (request, env) => getOrCreate(routers, env, () => createRouter(env)).fetch(request, {}),
  }
}
