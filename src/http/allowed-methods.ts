import type { Context, Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { Env as HonoEnv } from 'hono/types'

import { SandboxError } from '../core/errors.ts'

/**
 * Creates a function that lists the methods of a path, which follow from the routes of an app; GET implies HEAD. If several
 * routes have the path, the first counts, as in Hono. Shape: empty for an unknown path.
 */
export function createMethodFinder<E extends HonoEnv>(
  app: Pick<Hono<E>, 'routes'>,
): (path: string) => readonly string[] {
  let router: TrieRouter<readonly string[]> | undefined
  return (path) => {
    router ??= createRouter(app)
    return router.match('ALL', path)[0][0]?.[0] ?? []
  }
}

function createRouter<E extends HonoEnv>({ routes }: Pick<Hono<E>, 'routes'>): TrieRouter<readonly string[]> {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of routes) {
    if (method === 'ALL' || method === 'OPTIONS') continue
    const allowed = methods.get(path) ?? new Set()
    methods.set(path, allowed.add(method))
    if (method === 'GET') allowed.add('HEAD')
  }
  const router = new TrieRouter<readonly string[]>()
  for (const [path, allowed] of methods) router.add('ALL', path, [...allowed])
  return router
}

export function hasExtraSlash(path: string, findMethods: ReturnType<typeof createMethodFinder>): boolean {
  return findMethods(path.replaceAll(/\/+(?=\/|$)/g, '')).length > 0
}

/** Names HEAD as GET, because both must have a response of the same length. */
export const nameMethod = ({ req: { method } }: Pick<Context, 'req'>): string =>
  method === 'HEAD' ? 'GET' : method

/** Rejects a method that a path does not have. Errors: 405, unless the path has it or is unknown. */
export function rejectOtherMethods(c: Context, methods: readonly string[]): void {
  if (methods.length === 0 || methods.includes(c.req.method)) return
  const allow = methods.join(', ')
  const detail = `${nameMethod(c)} is not allowed here; allowed: ${allow}.`
  throw new SandboxError('method_not_allowed', detail, { headers: { allow } })
}
