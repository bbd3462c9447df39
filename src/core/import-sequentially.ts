let last: Promise<unknown> = Promise.resolve()

/**
 * Imports a module after every import that was requested before it is done.
 * NOTE: Jest's module loader fails if two imports that share a module run at the same time (jestjs/jest#11434).
 * @param load calls `import()`
 */
export function importSequentially<Module>(load: () => Promise<Module>): Promise<Module> {
  const loaded = last.then(load)
  last = loaded.catch(() => undefined)
  return loaded
}

/** Loads once, and again after it has failed. */
export function loadOnce<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loaded: Promise<Result> | undefined
  const forget = (error: unknown): never => {
    loaded = undefined
    throw error
  }
  return () => (loaded ??= load().catch(forget))
}
