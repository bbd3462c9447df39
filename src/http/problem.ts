import { problems, SandboxError } from '../contract/errors.ts'
import { type Answer, createAnswer, responseOf } from './respond.ts'

/** The answer to an error: RFC 9457; what is not a refusal of ours says nothing of itself. Source: assumption A-05. */
export function problemAnswer(error: unknown): Answer {
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
  return createAnswer(JSON.stringify(body), 'application/problem+json', { status, headers })
}

/** The answer to an error, in a Response that stands for it. */
export function problemResponse(error: unknown): Response {
  return responseOf(problemAnswer(error))
}

function asRefusal(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error
  return new SandboxError('internal_error', 'The sandbox failed to answer this request; this is a bug in it.')
}
