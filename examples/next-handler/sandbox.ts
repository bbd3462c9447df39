import { type RunningSandbox, startSandbox } from 'workspace-sandbox/node'

/** Kept outside the module, which the dev server evaluates again when it changes. */
const kept: typeof globalThis & { sandbox?: Promise<RunningSandbox> } = globalThis

/** Answers a request whose path is the sandbox's own. The sandbox starts with the first one. */
async function answer(request: Request): Promise<Response> {
  kept.sandbox ??= startSandbox({ port: 0, size: 'small' })
  const { sandbox } = await kept.sandbox
  return sandbox.fetch(request)
}

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
}
