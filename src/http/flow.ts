/** A value, or one that is still to come. */
export type Soon<T> = T | Promise<T>

/** Goes on with what some work gives, or with its error: at once where it is there, because most answers wait for nothing. */
export function after<A, B>(
  work: () => Soon<A>,
  done: (value: A) => Soon<B>,
  failed: (error: unknown) => Soon<B>,
): Soon<B> {
  let value: Soon<A>
  try {
    value = work()
  } catch (error) {
    return failed(error)
  }
  // oxlint-disable-next-line promise/no-callback-in-promise -- the same two functions, whenever the value comes
  return value instanceof Promise ? value.then(done, failed) : done(value)
}
