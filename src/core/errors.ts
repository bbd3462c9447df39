import { isObject, parseJson } from './json.ts'

export const problems = {
  invalid_request: { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  internal_error: { status: 500, title: 'Internal error' },
  storage_unavailable: { status: 503, title: 'Storage unavailable' },
  storage_full: { status: 507, title: 'Storage full' },
} as const

/** The code of an error; stable, so that clients may branch on it. */
export type ProblemCode = keyof typeof problems

export interface FieldError {
  readonly in: 'query' | 'path' | 'header' | 'body'
  /** The parameter, or the path in the body as in `items[0].categoryId`; empty for the whole body. */
  readonly name: string
  readonly message: string
}

interface ProblemOptions {
  readonly errors?: readonly FieldError[]
  readonly errorCount?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly code: ProblemCode
  readonly errors: readonly FieldError[] | undefined
  readonly errorCount: number
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.errors = options.errors
    this.errorCount = options.errorCount ?? options.errors?.length ?? 0
    this.headers = options.headers
  }

  get status(): number {
    return problems[this.code].status
  }
}

export const MAX_LISTED = 100

/** Creates the error for a request with invalid fields; it lists the first 100. */
export function invalidRequest(errors: readonly FieldError[]): SandboxError {
  const listed = errors.slice(0, MAX_LISTED)
  const detail = formatErrors(listed, errors.length)
  return new SandboxError('invalid_request', detail, { errors: listed, errorCount: errors.length })
}

/** Creates the error for a request with one invalid field. */
export const invalidField = (name: string, message: string, place: FieldError['in'] = 'body'): SandboxError =>
  invalidRequest([{ in: place, name, message }])

export function formatErrors(
  errors: readonly FieldError[],
  count: number,
  describePlace = ({ in: part, name }: FieldError): string => `${part} ${name || 'as a whole'}`,
): string {
  const details = errors.map((error) => `${describePlace(error)}: ${error.message}`)
  if (count > errors.length) details.push(`and ${count - errors.length} more`)
  return details.join('; ')
}

/** Reads an error body in any format; leaves out what other servers send in these fields. Source: assumption A-05. */
export function readErrorBody(text: string): {
  readonly detail: string | undefined
  readonly code: string | undefined
  readonly errors: readonly FieldError[]
} {
  const body = parseJson(text)
  const { detail, message, error, code, errors } = isObject(body) ? body : {}
  const texts = [detail, message, isObject(error) ? error['message'] : undefined]
  return {
    detail: texts.find((one) => typeof one === 'string'),
    code: typeof code === 'string' ? code : undefined,
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
  }
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && ['in', 'name', 'message'].every((name) => typeof value[name] === 'string')
}
