import { SandboxError } from '../contract/errors.ts'
import { problemResponse } from '../http/problem.ts'
import { whole } from '../http/respond.ts'

/** The answer to what is no request. */
export function malformed(detail: string): Response {
  return whole(problemResponse(new SandboxError('invalid_request', detail)))
}
