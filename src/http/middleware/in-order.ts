import type { MiddlewareHandler } from 'hono'

import type { Env } from '../env.ts'

/**
 * Makes one middleware of two, because each step of Hono's costs a promise. The first must not respond after it has called
 * `next`, and an error of the second is thrown to it.
 */
export const inOrder =
  (first: MiddlewareHandler<Env>, second: MiddlewareHandler<Env>): MiddlewareHandler<Env> =>
  (c, next) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Hono ignores what `next` returns
    first(c, () => second(c, next) as Promise<void>)
