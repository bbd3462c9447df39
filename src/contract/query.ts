import * as z from 'zod'

import { isObject } from '../core/json.ts'
import { getOrCreate } from '../core/maps.ts'

export interface Pair {
  readonly parameter: string
  readonly needs: string
}

export type Parameters = Readonly<Record<string, z.ZodType>>

export interface QueryContract<S extends Parameters = Parameters> {
  readonly parameters: S
  readonly pairs: readonly Pair[]
  readonly separator?: ','
  /** Whether unknown parameters are refused. Source: assumption A-15. */
  readonly isStrict?: boolean
}

export function query<S extends Parameters>(make: () => S, pairs: readonly Pair[] = []): QueryContract<S> {
  let parameters: S | undefined
  return {
    get parameters() {
      return (parameters ??= make())
    },
    pairs,
  }
}

export type QueryValues = Readonly<Record<string, string | readonly string[]>>

export function parseQueryString(search: string): QueryValues {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    getOrCreate(values, name, () => []).push(value)
  }
  return Object.fromEntries(values)
}

/** Creates the schema that validates `QueryValues`. Errors: one issue for each invalid parameter, with its name as path. */
export function createQuerySchema(contract: QueryContract) {
  const arrays = findArrayNames(contract)
  let object: z.ZodObject = (contract.isStrict ? z.strictObject : z.object)(contract.parameters)
  for (const { parameter, needs } of contract.pairs) {
    object = object.refine((value) => value[parameter] === undefined || value[needs] !== undefined, {
      path: [parameter],
      message: `must be supplied together with ${needs}`,
      // Reported even if other parameters are invalid.
      when: () => true,
    })
  }
  return z.preprocess((values: QueryValues) => groupValues(values, arrays, contract), object)
}

export function findUnknownNames(contract: QueryContract, names: readonly string[]): string[] {
  const others = names.filter((name) => !Object.hasOwn(contract.parameters, name))
  if (others.length === 0) return others
  const arrays = findArrayNames(contract)
  return others.filter((name) => !arrays.has(withoutIndex(name, arrays)))
}

export function findArrayNames({ parameters }: QueryContract): ReadonlySet<string> {
  return new Set(Object.keys(parameters).filter((name) => isArray(parameters[name])))
}

function isArray(schema: unknown): boolean {
  return (
    schema instanceof z.ZodPipe &&
    schema.out instanceof z.ZodOptional &&
    schema.out.unwrap() instanceof z.ZodArray
  )
}

/** Converts `segment[]` and `segment[0]` to `segment`. Source: assumption A-13. */
function withoutIndex(name: string, arrays: ReadonlySet<string>): string {
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

function groupValues(
  values: QueryValues,
  arrays: ReadonlySet<string>,
  { separator }: QueryContract,
): Record<string, unknown> {
  // Without a prototype, so that `__proto__` is a name like any other.
  const grouped: Record<string, unknown> = Object.create(null)
  const lists = new Map<string, string[]>()
  for (const [name, value] of Object.entries(values)) {
    const texts = typeof value === 'string' ? [value] : value
    const parameter = withoutIndex(name, arrays)
    if (!arrays.has(parameter)) {
      grouped[name] = texts.length === 1 ? texts[0] : texts
      continue
    }
    const list = getOrCreate(lists, parameter, () => [])
    for (const text of texts) {
      for (const part of separator === undefined ? [text] : text.split(separator)) list.push(part)
    }
    grouped[parameter] = list
  }
  return grouped
}
