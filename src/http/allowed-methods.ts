import type { Context } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { RouterRoute } from 'hono/types'

import { SandboxError } from '../core/errors.ts'

/**
 * Creates a function that lists the methods of a path, which follow from the routes of an app; GET implies HEAD. If several
 * routes have the path, the first counts, as in Hono. Shape: empty for an unknown path.
 */
export function createMethodFinder(app: { readonly routes: readonly RouterRoute[] }) {
  let router: TrieRouter<RouterRoute> | undefined
  return (path: string): string[] => {
    router ??= createRouter(app.routes)
    const routes = router.match('ALL', path)[0].map(([route]) => route)
    const first = routes.filter((route) => route.path === routes[0]?.path)
    return [...new Set(first.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)))]
  }
}

function createRouter(routes: readonly RouterRoute[]): TrieRouter<RouterRoute> {
  const router = new TrieRouter<RouterRoute>()
  for (const route of routes) if (route.method !== 'ALL') router.add('ALL', route.path, route)
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
