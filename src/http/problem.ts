import { HTTPException } from 'hono/http-exception'

import { problems, SandboxError } from '../contract/errors.ts'
import { respond } from './respond.ts'

/** The answer to an error: RFC 9457; what is not a refusal of ours says nothing of itself. Source: assumption A-05. */
export function problemResponse(error: unknown): Response {
  const refusal = asRefusal(error)
  const body = {
    type: `urn:workspace-sandbox:problem:${refusal.code}`,
    title: problems[refusal.code].title,
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    ...(refusal.errors && { errors: refusal.errors }),
  }
  const { status, headers = {} } = refusal
  return respond(JSON.stringify(body), 'application/problem+json', { status, headers })
}

function asRefusal(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error
  if (error instanceof HTTPException && error.status === 400) {
    const errors = [{ in: 'body', name: '', message: 'must be JSON' }] as const
    return new SandboxError('invalid_request', 'body as a whole: must be JSON', { errors })
  }
  return new SandboxError('internal_error', 'The sandbox failed to answer this request; this is a bug in it.')
}
