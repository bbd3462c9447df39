import { type Context, Hono } from 'hono'
import type * as z from 'zod'

import { assumptions } from '../contract/assumptions.ts'
import { invalidRequest, SandboxError } from '../contract/errors.ts'
import { bodyErrors } from '../contract/issues.ts'
import type { Environment } from '../http/environment.ts'
import { DatasetOptions } from '../options.ts'
import { guard } from './access.ts'
import type { Host } from './host.ts'
import { startPage } from './start-page.ts'

/** Units: bytes. A fixture may be sent as content. */
const MAX_CONTROL_BODY = 16 * 1_048_576

/** Everything that the real service does not have: how a person or a test steers the sandbox. */
export function controlRoutes(host: Host): Hono<Environment> {
  const app = new Hono<Environment>()
  if (host.access) {
    const guarded = guard(host.access)
    for (const path of ['/_sandbox/*', '/health']) app.use(path, guarded)
  }
  app.get('/', (context) => context.redirect('/_sandbox', 302))
  app.get('/_sandbox', () => startPage())
  for (const path of ['/health', '/_sandbox/health']) {
    app.get(path, async (context) => answer(await host.health(context.get('session'))))
  }
  app.get('/_sandbox/credentials', (context) => answer(host.credentials(context.get('session'))))
  app.get('/_sandbox/assumptions', () => answer(listedAssumptions()))
  app.post('/_sandbox/reset', async (context) => {
    await host.reset(context.get('session'))
    return answer(await host.health(context.get('session')))
  })
  app.post('/_sandbox/reseed', async (context) => {
    await host.reseed(await parsedBody(context, DatasetOptions))
    return answer(await host.health(context.get('session')))
  })
  app.get('/openapi.json', () => answer(host.openApiDocument(), { 'access-control-allow-origin': '*' }))
  return app
}

function answer(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}

function listedAssumptions() {
  return Object.entries(assumptions).map(([id, { subject, decision, because }]) => ({
    id,
    subject,
    decision,
    because,
  }))
}

/** A control call's body; none is an empty object. Errors: 400 that names the field, 413. */
async function parsedBody<T extends z.ZodObject>(context: Context, schema: T): Promise<z.infer<T>> {
  const bytes = await context.req.arrayBuffer()
  if (bytes.byteLength > MAX_CONTROL_BODY) {
    throw new SandboxError('payload_too_large', `The body is larger than ${MAX_CONTROL_BODY} bytes.`)
  }
  const parsed = schema.safeParse(bytes.byteLength === 0 ? {} : parsedJson(bytes))
  if (!parsed.success) throw invalidRequest(bodyErrors(parsed.error.issues, Object.keys(schema.shape)))
  return parsed.data
}

function parsedJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalidRequest([{ in: 'body', name: '', message: 'must be JSON in UTF-8' }])
  }
}
