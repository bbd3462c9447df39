import { SandboxError } from '../contract/errors.ts'
import { problemResponse } from '../http/problem.ts'
import { whole } from '../http/respond.ts'

/** The answer to what is no request. */
export function malformed(detail: string): Response {
  return whole(problemResponse(new SandboxError('invalid_request', detail)))
}

/** The response to a request that did not arrive in time. */
export function timedOut(): Response {
  const detail =
    'The request did not arrive in time. Send its head within 10 seconds, and all of it within 60.'
  return whole(problemResponse(new SandboxError('request_timeout', detail)))
}
