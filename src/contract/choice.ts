import * as z from 'zod'

import { parseJson } from '../core/json.ts'
import type { AssumptionId } from './assumptions.ts'
import { type Meanings, type StatusNames, validateStatusNames } from './statuses.ts'

/** The values that an assumption can be set to. */
export interface Choice<V = unknown> {
  readonly assumption: AssumptionId
  /** Plausible values. Order: the default first. */
  readonly alternatives: readonly [Alternative<V>, ...Alternative<V>[]]
  readonly schema: z.ZodType<V>
  /** Reads a value as it is written on a command line. */
  readonly read: (text: string) => unknown
}

interface Alternative<V> {
  readonly value: V
  readonly meaning: string
}

type Meaning<V> = readonly [value: V, meaning: string]

export function oneOf<const V extends string | number>(
  assumption: AssumptionId,
  ...meanings: readonly [Meaning<V>, Meaning<V>, ...Meaning<V>[]]
): Choice<V> {
  const [first, ...others] = meanings
  const values = meanings.map(([value]) => value)
  const isValue = (value: unknown): boolean => values.some((known) => known === value)
  return {
    assumption,
    alternatives: [alternative(first), ...others.map(alternative)],
    schema: z.custom<V>(isValue, {
      error: ({ input }) =>
        values.some((value) => String(value) === input)
          ? `must be the number ${values.join(' or ')}`
          : `must be one of ${values.join(', ')}`,
    }),
    read: (text) => values.find((value) => String(value) === text) ?? text,
  }
}

const alternative = <V>([value, meaning]: Meaning<V>): Alternative<V> => ({ value, meaning })

export function statusNames<const M extends string>(
  assumption: AssumptionId,
  meanings: Meanings<M>,
  ...others: readonly (readonly string[])[]
): Choice<StatusNames<M>> {
  return {
    assumption,
    alternatives: [listNames(meanings), ...others.map(listNames)],
    schema: z.custom<StatusNames<M>>((value) => validateStatusNames(value, meanings) === undefined, {
      error: ({ input }) => validateStatusNames(input, meanings),
    }),
    read: (text) => (text.startsWith('{') ? (parseJson(text) ?? text) : text.split(',')),
  }
}

const listNames = (value: readonly string[]) => ({ value, meaning: value.join(', ') })

type ChosenOperations<I extends string> = { readonly [K in I]?: boolean | undefined }

const toRecord = (ids: readonly string[]): object => Object.fromEntries(ids.map((id) => [id, true]))

export function operations<const I extends string>(
  assumption: AssumptionId,
  ids: readonly I[],
  [none, all]: readonly [string, string],
): Choice<ChosenOperations<I>> {
  const read = (text: string) => toRecord(text === 'all' ? ids : text === 'none' ? [] : text.split(','))
  return {
    assumption,
    alternatives: [
      { value: {}, meaning: none },
      { value: toRecord(ids), meaning: all },
    ],
    schema: z.preprocess(
      (value) => (value === 'all' || value === 'none' ? read(value) : value),
      z.partialRecord(
        z.enum(ids, { error: `must be one of ${ids.join(', ')}` }),
        z.boolean('must be true or false'),
        `must be all, none, or operations among ${ids.join(', ')}, each true or false`,
      ),
    ),
    read,
  }
}
