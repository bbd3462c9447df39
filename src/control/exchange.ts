import type { Context } from 'hono'
import type * as z from 'zod'

import { invalidRequest, type SandboxError } from '../contract/errors.ts'
import { bodyErrors } from '../contract/issues.ts'
import { isNestedTooDeep, nestedTooDeep } from '../contract/json.ts'
import type { Environment } from '../http/environment.ts'
import { bytesOf, refuseCompressed } from '../http/request.ts'
import type { Session } from './sessions/session.ts'

/** The headers of every control-plane answer: never kept, never sniffed. */
export const controlHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** A control-plane response in JSON. */
export function answer(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return withLength(JSON.stringify(value), {
    'content-type': 'application/json',
    ...controlHeaders,
    ...headers,
  })
}

const encoder = new TextEncoder()

/** A response that announces its length, so that HEAD does, too. */
export function withLength(
  content: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Response {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  return new Response(bytes, { headers: { ...headers, 'content-length': `${bytes.length}` } })
}

/** The session that a call changes, once the call's body is there. Errors: 404 if it was dropped meanwhile. */
export function changedSession(context: Context<Environment>): Session {
  const session = context.get('session')
  session.refuseDropped()
  return session
}

/** Units: bytes. A fixture may be sent as content. */
const MAX_CONTROL_BODY = 16 * 1_048_576

/** A control call's body; none is an empty object. Errors: 400 that names the field, 413, 415. */
export async function parsedBody<T extends z.ZodType>(
  context: Context,
  schema: T,
  known: readonly string[],
): Promise<z.infer<T>> {
  const parsed = schema.safeParse(await jsonOf(context))
  if (!parsed.success) throw invalidRequest(bodyErrors(parsed.error.issues, known))
  return parsed.data
}

/** A control call's body as JSON; none is an empty object. Errors: 400, 413, 415. */
export async function jsonOf(context: Context): Promise<unknown> {
  const bytes = await bytesOf(context.req.raw, MAX_CONTROL_BODY)
  if (bytes.byteLength === 0) return {}
  refuseCompressed(context.req.header('content-encoding'))
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!isNestedTooDeep(text)) return JSON.parse(text)
  } catch {
    throw wrongBody('must be JSON in UTF-8')
  }
  throw wrongBody(nestedTooDeep)
}

const wrongBody = (message: string): SandboxError => invalidRequest([{ in: 'body', name: '', message }])
