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
  /** What may stand between the values of a list; undefined where each is given by itself. */
  readonly separator?: ','
}

/** Declares the query parameters of an operation. */
export function query<S extends z.ZodRawShape>(parameters: S, pairs: readonly Pair[] = []): QueryContract<S> {
  return { parameters, pairs }
}

/** The values in a query by name. Order: as they came. */
export type QueryValues = Readonly<Record<string, readonly string[]>>

/**
 * The schema of a whole query, given as `QueryValues`.
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
  return z.preprocess((values: QueryValues) => folded(values, arrays, contract.separator), object)
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
export function foldedName(name: string, arrays: ReadonlySet<string>): string {
  if (!name.endsWith(']')) return name
  const base = /^(.+)\[\d*\]$/.exec(name)?.[1]
  return base !== undefined && arrays.has(base) ? base : name
}

/** A query whose lists are split at commas. */
interface SplitQuery {
  readonly query: Readonly<Record<string, unknown>>
  /** The lists that had a comma, by the parameter's name. */
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** Splits the values of a checked query's lists at their commas; undefined if none of them has one. */
export function splitAtCommas(checked: unknown): SplitQuery | undefined {
  if (typeof checked !== 'object' || checked === null) return undefined
  const lists: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(checked)) {
    if (!Array.isArray(value)) continue
    const values = value.map(String)
    if (!values.some((text) => text.includes(','))) continue
    lists[name] = values.flatMap((text) => text.split(',').map((part) => part.trim())).filter(Boolean)
  }
  return Object.keys(lists).length === 0 ? undefined : { query: { ...checked, ...lists }, lists }
}

/** A list for a parameter that takes one, and for one that was given more than once; else a text. */
function folded(
  values: QueryValues,
  arrays: ReadonlySet<string>,
  separator: string | undefined,
): Record<string, unknown> {
  // Whatever a query calls its parameters, they are no more than that.
  const found: Record<string, unknown> = Object.create(null)
  for (const name of Object.keys(values)) {
    const given = values[name] ?? []
    const target = foldedName(name, arrays)
    const isList = arrays.has(target)
    const list = isList && separator !== undefined ? given.flatMap((value) => value.split(separator)) : given
    if (!isList) found[name] = list.length === 1 ? list[0] : list
    else if (Array.isArray(found[target])) found[target] = [...found[target], ...list]
    else found[target] = list
  }
  return found
}

function isArray(schema: unknown): boolean {
  return (
    schema instanceof z.ZodPipe &&
    schema.out instanceof z.ZodOptional &&
    schema.out.unwrap() instanceof z.ZodArray
  )
}
