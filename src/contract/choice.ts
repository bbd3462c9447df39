import * as z from 'zod'

import { parseJson } from '../core/json.ts'
import { type Meanings, type StatusNames, validateStatusNames } from './statuses.ts'

/** A gap of the document and how the sandbox fills it; an assumption never contradicts the document. */
export interface Assumption {
  readonly subject: string
  readonly decision: string
  readonly because: string
  readonly choice?: Choice
}

export interface Alternative<V = unknown> {
  readonly value: V
  readonly meaning: string
}

export interface Choice<V = unknown, N extends string = string> {
  readonly name: N
  /** Plausible values. Order: the default first. */
  readonly alternatives: readonly [Alternative<V>, ...Alternative<V>[]]
  readonly schema: z.ZodType<V>
  readonly read: (text: string) => unknown
}

type Meaning<V> = readonly [value: V, meaning: string]

export function oneOf<const N extends string, const V extends string | number>(
  name: N,
  ...meanings: readonly [Meaning<V>, Meaning<V>, ...Meaning<V>[]]
): Choice<V, N> {
  const [first, ...others] = meanings
  const values = meanings.map(([value]) => value)
  const isValue = (value: unknown): boolean => values.some((known) => known === value)
  return {
    name,
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

export function statusNames<const N extends string, const M extends string>(
  name: N,
  meanings: Meanings<M>,
  ...others: readonly (readonly string[])[]
): Choice<StatusNames<M>, N> {
  return {
    name,
    alternatives: [listNames(meanings), ...others.map(listNames)],
    schema: z.custom<StatusNames<M>>((value) => validateStatusNames(value, meanings) === undefined, {
      error: ({ input }) => validateStatusNames(input, meanings),
    }),
    read: (text) => (text.startsWith('{') ? (parseJson(text) ?? text) : text.split(',')),
  }
}

const listNames = (value: readonly string[]) => ({ value, meaning: value.join(', ') })

type ChosenOperations<I extends string> = { readonly [K in I]?: boolean | undefined }

const toRecord = <I extends string>(chosen: readonly I[]): ChosenOperations<I> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the chosen ids as keys
  Object.fromEntries(chosen.map((id) => [id, true])) as ChosenOperations<I>

export function operations<const N extends string, const I extends string>(
  name: N,
  ids: readonly I[],
  [none, all]: readonly [string, string],
): Choice<ChosenOperations<I>, N> {
  const read = (text: string) =>
    toRecord<string>(text === 'all' ? ids : text === 'none' ? [] : text.split(','))
  return {
    name,
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
