import { type FieldError, formatErrors, SandboxError } from './errors.ts'

export type Result<Remote extends boolean, R> = Remote extends true ? Promise<R> : R

/**
 * Adapts the errors of a public method to its caller: they name the argument instead of the request body, and their stack
 * starts at the line that called the method. Only the method itself may call this function.
 * Errors: those of the call.
 */
export function withCallerErrors<R>(argument: string, call: () => R): R {
  try {
    return call()
  } catch (error) {
    throw adaptError(error, argument, captureStack(withCallerErrors))
  }
}

export async function withCallerErrorsAsync<R>(argument: string, call: () => R | Promise<R>): Promise<R> {
  // The caller is on the stack only before the first await.
  const stack = captureStack(withCallerErrorsAsync)
  try {
    return await call()
  } catch (error) {
    throw adaptError(error, argument, stack)
  }
}

function captureStack(inner: (...values: never[]) => unknown): () => string | undefined {
  const site: { stack?: string } = {}
  if ('captureStackTrace' in Error) Error.captureStackTrace(site, inner)
  // Formatted only when read. The first frame is the public method.
  return () => /\n\s+at .*(\n\s+at [\s\S]*)/.exec(site.stack ?? '')?.[1]
}

function adaptError(error: unknown, argument: string, stack: () => string | undefined): unknown {
  if (!(error instanceof SandboxError)) return error
  const { errors, errorCount } = error
  // An error with a message of its own, such as a fixture's, already names its place.
  if (errors && error.message === formatErrors(errors, errorCount)) {
    error.message = formatErrors(errors, errorCount, (one) => describePlace(one, argument))
  }
  const frames = stack()
  if (frames !== undefined) error.stack = `${error.name}: ${error.message}${frames}`
  return error
}

function describePlace(error: FieldError, argument: string): string {
  const { name } = error
  const subject = error.in === 'body' ? argument : 'argument'
  return name === '' || name.startsWith('[') ? `${subject}${name}` : `${subject} ${name}`
}
