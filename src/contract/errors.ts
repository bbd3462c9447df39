/** Every problem that the sandbox answers, with its status and title. */
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

/** The name of a problem; clients may branch on it. */
export type ProblemCode = keyof typeof problems

/** One thing that is wrong with a request: where, what, why. */
export interface FieldError {
  readonly in: 'query' | 'path' | 'header' | 'body'
  /** The parameter, or the body's path as in `items[0].categoryId`; empty for the whole body. */
  readonly name: string
  readonly message: string
}

interface ProblemOptions {
  readonly errors?: readonly FieldError[]
  readonly errorCount?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A refusal with a stable code: thrown where the fact is known, answered in one place. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly code: ProblemCode
  /** The first fields that are wrong. */
  readonly errors: readonly FieldError[] | undefined
  /** How many fields are wrong. */
  readonly errorCount: number
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.errors = options.errors
    this.errorCount = options.errorCount ?? options.errors?.length ?? 0
    this.headers = options.headers
  }

  /** The HTTP status that the code stands for. */
  get status(): number {
    return problems[this.code].status
  }
}

/** How many wrong fields an answer lists. */
export const MAX_LISTED = 50

/**
 * Returns the error for a request whose fields are wrong: it lists the first 50 of them, and the detail says in one
 * line what is wrong with each and how many more there are.
 * @param count how many fields are wrong, if the list does not hold all of them
 */
export function invalidRequest(errors: readonly FieldError[], count: number = errors.length): SandboxError {
  const listed = errors.slice(0, MAX_LISTED)
  const detail = invalidDetail(listed, count)
  return new SandboxError('invalid_request', detail, { errors: listed, errorCount: count })
}

/**
 * Says in one line what is wrong with each field.
 * @param count how many fields are wrong
 */
export function invalidDetail(
  errors: readonly FieldError[],
  count: number,
  placeOf = ({ in: part, name }: FieldError): string => `${part} ${name || 'as a whole'}`,
): string {
  const details = errors.map((error) => `${placeOf(error)}: ${error.message}`)
  if (count > errors.length) details.push(`and ${count - errors.length} more`)
  return details.join('; ')
}
