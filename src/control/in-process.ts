import { type FieldError, invalidDetail, SandboxError } from '../contract/errors.ts'

/** The name of the argument that a call is about, or how an error is named if that depends on the error. */
type Argument = string | ((error: FieldError) => string)

/**
 * Makes the errors of a public method helpful in process, where there is no request: they name the argument instead of
 * a body, and their stack begins with the line that called the method. The method itself has to call this function.
 * Errors: those of the call.
 */
export function inProcess<R>(argument: Argument, call: () => R): R {
  try {
    return call()
  } catch (error) {
    throw told(error, argument, stackAbove(inProcess))
  }
}

/** As `inProcess`, for a call that returns a promise: who called is known before the first await only. */
export async function inProcessLater<R>(argument: Argument, call: () => Promise<R>): Promise<R> {
  const stack = stackAbove(inProcessLater)
  try {
    return await call()
  } catch (error) {
    throw told(error, argument, stack)
  }
}

/** The stack above the caller of a function; undefined if the engine does not tell. */
function stackAbove(inner: (...values: never[]) => unknown): () => string | undefined {
  const site: { stack?: string } = {}
  if ('captureStackTrace' in Error) Error.captureStackTrace(site, inner)
  // The engine writes the frames out only when they are read. The first of them is the public method.
  return () => /\n\s+at .*(\n\s+at [\s\S]*)/.exec(site.stack ?? '')?.[1]
}

function told(error: unknown, argument: Argument, stack: () => string | undefined): unknown {
  if (!(error instanceof SandboxError)) return error
  const { errors, errorCount } = error
  // An error with a message of its own, such as a fixture's, names its place already.
  if (errors && error.message === invalidDetail(errors, errorCount)) {
    error.message = invalidDetail(errors, errorCount, (one) => describePlace(one, argument))
  }
  const frames = stack()
  if (frames !== undefined) error.stack = `${error.name}: ${error.message}${frames}`
  return error
}

/** Describes where a wrong field is, as in `record name`, `records[0].name`. */
function describePlace(error: FieldError, argument: Argument): string {
  if (typeof argument === 'function') return argument(error)
  const { name } = error
  const what = error.in === 'body' ? argument : 'argument'
  return name === '' || name.startsWith('[') ? `${what}${name}` : `${what} ${name}`
}
