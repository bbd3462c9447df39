import { createSandbox, type Sandbox } from 'workspace-sandbox'

/** Kept outside of the module, which the dev server evaluates anew when it changes. */
const kept: typeof globalThis & { sandbox?: Promise<Sandbox> } = globalThis

async function answer(request: Request): Promise<Response> {
  kept.sandbox ??= createSandbox({ size: 'small' })
  return (await kept.sandbox).fetch(request)
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
