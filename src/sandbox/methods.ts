import { withCallerErrors, withCallerErrorsAsync } from '../core/caller-errors.ts'

/** A method of a session, in this process and for others. */
export interface Method {
  /** The name of its argument in errors. Default: argument. */
  readonly argument?: string
  /**
   * The control route that does the same. Its path takes the first arguments; the next one is the query of a GET and the
   * body of anything else, and the last one, if any, further parts of the query.
   */
  readonly route: string
  /** The name that the query or the body gives to the argument. */
  readonly as?: string
  /** The member of the response that the method returns, or null for nothing. Default: the response. */
  readonly returns?: string | null
}

export type Methods = Readonly<Record<string, Method>>

/** The methods of a session, by group. Those of a collection begin with its name. */
export const methods = {
  clock: {
    now: { route: 'GET clock', returns: 'now' },
    set: { argument: 'instant', route: 'PUT clock', as: 'now', returns: null },
    advance: { argument: 'duration', route: 'POST clock/advance', as: 'by', returns: 'changed' },
    tick: { argument: 'tick', route: 'POST clock/tick' },
    reset: { route: 'DELETE clock', returns: null },
  },
  timeline: {
    events: { argument: 'query', route: 'GET clock/events' },
  },
  faults: {
    add: { argument: 'fault', route: 'POST faults' },
    addAll: { argument: 'faults', route: 'POST faults' },
    list: { route: 'GET faults', returns: 'items' },
    get: { route: 'GET faults/{id}' },
    remove: { route: 'DELETE faults/{id}' },
    clear: { route: 'DELETE faults' },
  },
  gates: {
    list: { route: 'GET gates', returns: 'items' },
    release: { route: 'POST gates/{id}/release' },
    releaseAll: { route: 'POST gates/release', returns: 'items' },
  },
  nextGate: { next: { argument: 'filter', route: 'POST gates/next' } },
  scenarios: {
    add: { argument: 'scenario', route: 'POST scenarios' },
    list: { route: 'GET scenarios', returns: 'items' },
    remove: { route: 'DELETE scenarios/{id}' },
    clear: { route: 'DELETE scenarios' },
  },
  requests: {
    list: { argument: 'filter', route: 'GET requests', returns: 'items' },
    clear: { route: 'DELETE requests' },
    warnings: { route: 'GET requests/warnings', returns: 'items' },
    coverage: { route: 'GET requests/coverage' },
    har: { argument: 'filter', route: 'GET requests.har' },
  },
  collection: {
    list: { route: 'GET data/{collection}' },
    counts: { route: 'GET data/{collection}/counts', as: 'by' },
    get: { route: 'GET data/{collection}/{id}' },
    history: { route: 'GET data/history/{collection}/{id}' },
    put: { argument: 'record', route: 'POST data/{collection}' },
    patch: { argument: 'patch', route: 'PATCH data/{collection}/{id}' },
    delete: { route: 'DELETE data/{collection}/{id}', returns: 'deleted' },
    create: { argument: 'records', route: 'POST data/{collection}' },
  },
  records: {
    create: { argument: 'batch', route: 'POST data' },
    changes: { argument: 'filter', route: 'GET data/changes', returns: 'items' },
    undo: { route: 'DELETE data/changes/{collection}/{id}', returns: 'undone' },
    undoAll: { route: 'DELETE data/changes', returns: 'undone' },
  },
  session: {
    explain: { argument: 'input', route: 'POST explain' },
    preview: { argument: 'input', route: 'POST preview' },
    saveState: { route: 'GET state' },
    restoreState: { argument: 'state', route: 'PUT state' },
    reset: { route: 'POST reset', returns: null },
  },
} satisfies Readonly<Record<string, Methods>>

type Own<M, T> = { [N in keyof M]: N extends keyof T ? T[N] : never }

type Later<M, T> = {
  [N in keyof M]: N extends keyof T
    ? T[N] extends (...args: infer A) => infer R
      ? (...args: A) => Promise<Awaited<R>>
      : never
    : never
}

/** Binds the methods of a group to an object that is looked up at each call; errors name the argument and the caller's line. */
export function bindMethods<M extends Methods, T extends object>(group: M, target: () => T): Own<M, T> {
  const bind =
    (name: string, argument?: string) =>
    (...args: unknown[]) =>
      withCallerErrors(argument ?? 'argument', () => invoke(target(), name, args))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each method calls the one of the target with its name
  return mapMethods(group, bind) as Own<M, T>
}

/** Like `bindMethods`, for an object that is loaded first. @param first the first arguments of each method of the object */
export function bindLater<M extends Methods, T extends object>(
  group: M,
  target: (name: string) => Promise<T>,
  ...first: readonly unknown[]
): Later<M, T> {
  const bind =
    (name: string, argument?: string) =>
    (...args: unknown[]) =>
      withCallerErrorsAsync(argument ?? 'argument', async () =>
        invoke(await target(name), name, [...first, ...args]),
      )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return mapMethods(group, bind) as Later<M, T>
}

export const mapMethods = (
  group: Methods,
  bind: (name: string, argument: string | undefined, method: Method) => unknown,
): object =>
  Object.fromEntries(
    Object.entries(group).map(([name, method]) => [name, bind(name, method.argument, method)]),
  )

function invoke(target: object, name: string, args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(target, name)
  if (typeof method !== 'function') throw new TypeError(`There is no method ${name}.`)
  return Reflect.apply(method, target, args)
}
