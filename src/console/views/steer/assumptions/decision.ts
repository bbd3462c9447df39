import type { ListedAssumption } from '../../../../control/assumption-routes.ts'
import type { Call } from '../../../calls.ts'

/** Says whether two values decide the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b)
}

/** What does not do something is as what is not named. */
function textOf(value: unknown): string {
  if (!isFlags(value)) return JSON.stringify(value)
  return JSON.stringify(
    Object.keys(value)
      .filter((name) => value[name] === true)
      .toSorted(),
  )
}

/** Says whether a value says of some operations whether they do something. */
export const isFlags = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Says whether an assumption is decided otherwise than by default. */
export function differs({ name, options, value }: ListedAssumption): boolean {
  return name !== null && !isSame(value, options[0])
}

/** What puts assumptions back. */
export function toDefaults(assumptions: readonly ListedAssumption[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(assumptions.map(({ name, options }) => [name, options[0]]))
}

/** The call that decides some assumptions. */
export const patchOf = (body: Readonly<Record<string, unknown>>): Call => ({
  method: 'PATCH',
  path: '/_sandbox/assumptions',
  body,
})
