import * as z from 'zod'

import { isObject } from '../core/json.ts'
import { getOrCreate } from '../core/maps.ts'

/** The parameters of a query by name: a list if a name is repeated. */
export type QueryValues = Readonly<Record<string, string | readonly string[]>>

/** Rejects a query with a parameter that lacks the one it needs. */
export function requirePairs<T extends z.ZodRawShape>(
  query: z.ZodObject<T>,
  needs: Readonly<Record<string, string>>,
): z.ZodObject<T> {
  return Object.entries(needs).reduce(
    (checked, [parameter, needed]) =>
      checked.refine(
        (value) => Reflect.get(value, parameter) === undefined || Reflect.get(value, needed) !== undefined,
        {
          path: [parameter],
          message: `must be supplied together with ${needed}`,
          // Reported even if other parameters are invalid.
          when: () => true,
        },
      ),
    query,
  )
}

/**
 * Creates the schema that validates `QueryValues`. Errors: one issue for each invalid parameter, with its name as path.
 * @param separator what separates the elements of arrays, besides repeated parameters
 */
export function createQuerySchema(query: z.ZodObject, separator?: string): z.ZodType {
  const arrays = findArrayNames(query)
  if (arrays.size === 0) return query
  return z.preprocess((values: QueryValues) => {
    // Without a prototype, so that `__proto__` is a name like any other.
    const grouped: Record<string, unknown> = Object.create(null)
    const lists = new Map<string, string[]>()
    for (const [name, value] of Object.entries(values)) {
      const parameter = withoutIndex(name, arrays)
      if (!arrays.has(parameter)) {
        grouped[name] = value
        continue
      }
      const list = getOrCreate(lists, parameter, () => [])
      for (const text of [value].flat()) {
        for (const part of separator === undefined ? [text] : text.split(separator)) list.push(part)
      }
      grouped[parameter] = list
    }
    return grouped
  }, query)
}

export function findArrayNames({ shape }: z.ZodObject): ReadonlySet<string> {
  return new Set(Object.keys(shape).filter((name) => isArray(shape[name])))
}

function isArray(schema: unknown): boolean {
  return (
    schema instanceof z.ZodPipe &&
    schema.out instanceof z.ZodOptional &&
    schema.out.unwrap() instanceof z.ZodArray
  )
}

/** Converts `segment[]` and `segment[0]` to `segment`. Source: assumption A-13. */
export function withoutIndex(name: string, arrays: ReadonlySet<string>): string {
  if (!name.endsWith(']')) return name
  const base = /^(.+)\[\d*\]$/.exec(name)?.[1]
  return base !== undefined && arrays.has(base) ? base : name
}

/** Splits the values of lists at commas; undefined if there are none. */
export function splitAtCommas(valid: unknown) {
  if (!isObject(valid)) return undefined
  const lists: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(valid)) {
    if (!Array.isArray(value) || !value.some((text) => String(text).includes(','))) continue
    lists[name] = value
      .flatMap((text) => String(text).split(','))
      .map((part) => part.trim())
      .filter(Boolean)
  }
  return Object.keys(lists).length === 0 ? undefined : { query: { ...valid, ...lists }, lists }
}
