import { type FieldError, formatErrors, SandboxError } from './errors.ts'
import { toJson } from './exact-json.ts'

export type Result<Remote extends boolean, R> = Remote extends true ? Promise<R> : R

type Methods<N extends string> = { readonly [Name in N]: (...args: never[]) => unknown }

type Later<T, N extends keyof T> = {
  [Name in N]: T[Name] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never
}

/**
 * Publishes methods of an object, which get their arguments as JSON, so that they do the same in process and over HTTP. Their
 * errors name their argument and start at the caller's line.
 * @param names the name of each method's argument in errors
 * @param find returns the object at each call, or loads it. Errors: if it is no longer in use
 * @param first the first arguments of each method of the object
 */
export function publish<N extends string, T extends Methods<N>>(
  names: Readonly<Record<N, string>>,
  find: () => Promise<T>,
  ...first: readonly unknown[]
): Later<T, N>
export function publish<N extends string, T extends Methods<N>>(
  names: Readonly<Record<N, string>>,
  find: () => T,
): Pick<T, N>
export function publish(
  names: Readonly<Record<string, string>>,
  find: () => object,
  ...first: readonly unknown[]
): object {
  const publishOne = ([name, argument]: readonly [string, string]) => {
    const invoke = (target: object, args: readonly unknown[]): unknown =>
      Reflect.apply(Reflect.get(target, name), target, [...first, ...args.map((one) => toJson(one))])
    const method = (...args: readonly unknown[]) =>
      withCallerErrors(argument, () => {
        const target = find()
        return target instanceof Promise ? target.then((one) => invoke(one, args)) : invoke(target, args)
      })
    return [name, method]
  }
  return Object.fromEntries(Object.entries(names).map(publishOne))
}

/**
 * Adapts the errors of a public method to its caller: they name the argument instead of the request body, and their stack
 * starts at the line that called the method. Only the method itself may call this function.
 * Errors: those of the call, or of its promise.
 */
export function withCallerErrors<R>(argument: string, call: () => R): R {
  try {
    const result = call()
    if (!(result instanceof Promise)) return result
    // The caller is on the stack only now.
    const stack = captureStack()
    const adapted = result.catch((error: unknown) => {
      throw adaptError(error, argument, stack)
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same promise, with other errors
    return adapted as R
  } catch (error) {
    throw adaptError(error, argument, captureStack())
  }
}

function captureStack(): () => string | undefined {
  const site: { stack?: string } = {}
  if ('captureStackTrace' in Error) Error.captureStackTrace(site, withCallerErrors)
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
