import type { Settings } from '../contract/choices.ts'
import { problems, SandboxError } from '../contract/errors.ts'
import { defaultSettings } from '../contract/settings.ts'
import { type Answer, createAnswer, responseOf, shared } from './respond.ts'

/** The answer to an error; what is not a refusal of ours says nothing of itself. Source: assumptions. */
export function problemAnswer(error: unknown, settings = defaultSettings): Answer {
  return shared(problemIn(settings, error), settings)
}

function problemIn(settings: Settings, error: unknown): Answer {
  const refusal = asRefusal(error)
  const { code, message, errors, headers = {} } = refusal
  const status = code === 'invalid_request' ? settings.violationStatus : refusal.status
  if (settings.errorFormat === 'error') return inJson({ error: { code, message } }, status, headers)
  if (settings.errorFormat === 'message') return inJson({ message, statusCode: status }, status, headers)
  const type = `urn:workspace-sandbox:problem:${code}`
  const body = { type, title: problems[code].title, status, detail: message, code, ...(errors && { errors }) }
  return createAnswer(JSON.stringify(body), 'application/problem+json', { status, headers })
}

function inJson(body: object, status: number, headers: Readonly<Record<string, string>>): Answer {
  return createAnswer(JSON.stringify(body), 'application/json', { status, headers })
}

/** The answer to an error, in a Response that stands for it. */
export function problemResponse(error: unknown): Response {
  return responseOf(problemAnswer(error))
}

function asRefusal(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error
  return new SandboxError('internal_error', 'The sandbox failed to answer this request; this is a bug in it.')
}
