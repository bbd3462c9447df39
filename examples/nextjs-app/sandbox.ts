import { type RunningSandbox, startSandbox } from 'workspace-sandbox/node'

/** Survives the dev server's reloads of this module. */
const globals: typeof globalThis & { sandbox?: Promise<RunningSandbox> } = globalThis

/** Handles requests to the sandbox's paths. The first request starts the sandbox. */
async function handle(request: Request): Promise<Response> {
  globals.sandbox ??= startSandbox({ port: 0, size: 'small' })
  const { sandbox } = await globals.sandbox
  return sandbox.fetch(request)
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
