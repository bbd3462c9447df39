import * as z from 'zod'

import type { AssumptionId } from './assumptions.ts'
import { type Meanings, type StatusNames, statusNamesFault } from './statuses.ts'

/** What an assumption may be decided as. */
export interface Alternative<V = unknown> {
  readonly value: V
  readonly meaning: string
}

/** An assumption that a real tenant may answer otherwise. */
export interface Choice<V = unknown> {
  readonly assumption: AssumptionId
  /** Its plausible values. Order: the default first. */
  readonly alternatives: readonly [Alternative<V>, ...Alternative<V>[]]
  /** Every value that can be set. */
  readonly schema: z.ZodType<V>
  /** A value as it is written on a command line; not checked yet. */
  readonly read: (text: string) => unknown
}

type Meaning<V> = readonly [value: V, meaning: string]

/** One of a few values. */
export function oneOf<const V extends string | number>(
  assumption: AssumptionId,
  ...[first, ...others]: readonly [Meaning<V>, Meaning<V>, ...Meaning<V>[]]
): Choice<V> {
  const [values, meanings] = [[first, ...others].map(([value]) => value), [first, ...others]]
  const isValue = (value: unknown): boolean => values.some((known) => known === value)
  return {
    assumption,
    alternatives: [alternative(first), ...meanings.slice(1).map(alternative)],
    schema: z.custom<V>(isValue, `must be one of ${values.join(', ')}`),
    read: (text) => values.find((value) => String(value) === text) ?? text,
  }
}

const alternative = <V>([value, meaning]: Meaning<V>): Alternative<V> => ({ value, meaning })

const allOf = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, true]))

/** The names of a status, by default its meanings: 1 to 20, in the meanings' order or each with its meaning. */
export function statusNames(
  assumption: AssumptionId,
  meanings: Meanings,
  ...others: readonly (readonly string[])[]
): Choice<StatusNames> {
  return {
    assumption,
    alternatives: [listed(meanings), ...others.map(listed)],
    schema: z.custom<StatusNames>((value) => statusNamesFault(value, meanings) === undefined, {
      error: ({ input }) => statusNamesFault(input, meanings),
    }),
    read: (text) => (text.startsWith('{') ? jsonIn(text) : text.split(',')),
  }
}

const listed = (value: readonly string[]) => ({ value, meaning: value.join(', ') })

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** For each of some operations whether it does something; those that are not named do not. */
export function operations(
  assumption: AssumptionId,
  ids: readonly string[],
  [none, all]: readonly [string, string],
): Choice<Readonly<Record<string, boolean>>> {
  return {
    assumption,
    alternatives: [
      { value: {}, meaning: none },
      { value: allOf(ids), meaning: all },
    ],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the ids are some strings
    schema: z.partialRecord(
      z.enum(ids, { error: `must be one of ${ids.join(', ')}` }),
      z.boolean('must be true or false'),
      `must name operations among ${ids.join(', ')}, each true or false`,
    ) as z.ZodType<Readonly<Record<string, boolean>>>,
    read: (text) => allOf(text === 'all' ? ids : text === 'none' ? [] : text.split(',')),
  }
}
