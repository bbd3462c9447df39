import * as z from 'zod'

/** A parameter that makes sense only together with another one. */
export interface Pair {
  readonly parameter: string
  readonly needs: string
}

/** The query parameters of an operation: a schema each, and the pairs among them. */
export interface QueryContract<S extends z.ZodRawShape = z.ZodRawShape> {
  readonly parameters: S
  readonly pairs: readonly Pair[]
}

/** Declares the query parameters of an operation. */
export function query<S extends z.ZodRawShape>(parameters: S, pairs: readonly Pair[] = []): QueryContract<S> {
  return { parameters, pairs }
}

/**
 * The schema of a whole query as Hono reads it: a text for a parameter given once, a list for one given more often.
 * Errors: one issue for each wrong parameter, with the parameter's name as path.
 */
export function querySchema(contract: QueryContract) {
  const arrays = arrayNames(contract)
  let object = z.object(contract.parameters)
  for (const { parameter, needs } of contract.pairs) {
    object = object.refine((value) => value[parameter] === undefined || value[needs] !== undefined, {
      path: [parameter],
      message: `must be supplied together with ${needs}`,
      // Beside what else is wrong, so that one answer names everything.
      when: () => true,
    })
  }
  return z.preprocess((input) => foldArrays(input, arrays), object)
}

/** Finds the names in a query that no parameter has. Order: as they came. */
export function unknownNames(contract: QueryContract): (names: readonly string[]) => string[] {
  const arrays = arrayNames(contract)
  return (names) => names.filter((name) => !Object.hasOwn(contract.parameters, foldedName(name, arrays)))
}

/** The parameters that take a list. */
export function arrayNames(contract: QueryContract): ReadonlySet<string> {
  return new Set(Object.keys(contract.parameters).filter((name) => isArray(contract.parameters[name])))
}

/** `segment[]` and `segment[0]` are `segment`. Source: assumption A-13. */
function foldedName(name: string, arrays: ReadonlySet<string>): string {
  const base = /^(.+)\[\d*\]$/.exec(name)?.[1]
  return base !== undefined && arrays.has(base) ? base : name
}

function foldArrays(input: unknown, arrays: ReadonlySet<string>): unknown {
  if (typeof input !== 'object' || input === null || arrays.size === 0) return input
  const folded = new Map<string, unknown>()
  const lists = new Map<string, unknown[]>()
  for (const [name, value] of Object.entries(input)) {
    const target = foldedName(name, arrays)
    if (!arrays.has(target)) {
      folded.set(name, value)
      continue
    }
    const list = lists.get(target) ?? []
    for (const element of Array.isArray(value) ? value : [value]) list.push(element)
    lists.set(target, list)
    folded.set(target, list)
  }
  return Object.fromEntries(folded)
}

function isArray(schema: unknown): boolean {
  return (
    schema instanceof z.ZodPipe &&
    schema.out instanceof z.ZodOptional &&
    schema.out.unwrap() instanceof z.ZodArray
  )
}
