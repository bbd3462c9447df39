import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import type { Call } from '../../calls.ts'
import { prepare, routes, castBody } from '../../client.ts'

/** Reports whether two values mean the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return normalize(a) === normalize(b)
}

/** Converts a value to text; flags that are off count as absent. */
function normalize(value: unknown): string {
  if (!isFlags(value)) return JSON.stringify(value)
  return JSON.stringify(
    Object.keys(value)
      .filter((name) => value[name] === true)
      .toSorted(),
  )
}

/** Reports whether a value consists of flags by operation. */
export const isFlags = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reports whether an assumption differs from its default. */
export function isOverridden({ name, options, value }: ListedAssumption): boolean {
  return name !== null && !isSame(value, options[0])
}

/** Collects the defaults of assumptions. */
export function getDefaults(assumptions: readonly ListedAssumption[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(assumptions.map(({ name, options }) => [name, options[0]]))
}

/** Prepares the call that overrides assumptions. */
export const patchAssumptions = (body: Readonly<Record<string, unknown>>): Call =>
  prepare('patch', routes.assumptions, { json: castBody(body) })
