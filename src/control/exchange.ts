import type { Context } from 'hono'
import type * as z from 'zod'

import { invalidRequest, type SandboxError } from '../contract/errors.ts'
import { bodyErrors } from '../contract/issues.ts'
import { isNestedTooDeep, nestedTooDeep } from '../contract/json.ts'
import type { Environment } from '../http/environment.ts'
import { bytesOf } from '../http/request.ts'
import type { Session } from './sessions/session.ts'

/** The headers of every control-plane answer: never kept, never sniffed. */
export const controlHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** A control-plane answer in JSON. */
export function answer(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    headers: { 'content-type': 'application/json', ...controlHeaders, ...headers },
  })
}

/** The session that a call changes, once the call's body is there. Errors: 404 if it was dropped meanwhile. */
export function changedSession(context: Context<Environment>): Session {
  const session = context.get('session')
  session.refuseDropped()
  return session
}

/** Units: bytes. A fixture may be sent as content. */
const MAX_CONTROL_BODY = 16 * 1_048_576

/** A control call's body; none is an empty object. Errors: 400 that names the field, 413. */
export async function parsedBody<T extends z.ZodType>(
  context: Context,
  schema: T,
  known: readonly string[],
): Promise<z.infer<T>> {
  const parsed = schema.safeParse(await jsonOf(context))
  if (!parsed.success) throw invalidRequest(bodyErrors(parsed.error.issues, known))
  return parsed.data
}

/** A control call's body as JSON; none is an empty object. Errors: 400, 413. */
export async function jsonOf(context: Context): Promise<unknown> {
  const bytes = await bytesOf(context.req.raw, MAX_CONTROL_BODY)
  if (bytes.byteLength === 0) return {}
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!isNestedTooDeep(text)) return JSON.parse(text)
  } catch {
    throw wrongBody('must be JSON in UTF-8')
  }
  throw wrongBody(nestedTooDeep)
}

const wrongBody = (message: string): SandboxError => invalidRequest([{ in: 'body', name: '', message }])
