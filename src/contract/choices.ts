import * as z from 'zod'

import { parseJson } from '../core/json.ts'
import type { AssumptionId } from './assumptions.ts'
import {
  customerStatuses,
  type Meanings,
  signalStatuses,
  type StatusNames,
  validateStatusNames,
} from './statuses.ts'

/** The values that an assumption can be set to. */
export interface Choice<V = unknown> {
  readonly assumption: AssumptionId
  /** Plausible values. Order: the default first. */
  readonly alternatives: readonly Alternative<V>[]
  readonly schema: z.ZodType<V, V>
  /** Reads a value as it is written on a command line. */
  readonly read: (text: string) => unknown
  /** Writes a value as `read` reads it. */
  readonly write: (value: unknown) => string
}

interface Alternative<V> {
  readonly value: V
  readonly meaning: string
}

/** The assumptions that can be set, by name: a client notices them, and real services differ in them. Order: by id. */
export const choices = {
  pages: oneOf('A-01', ['envelope', '{ items, totalCount }'], ['array', 'a JSON array']),
  envelopes: oneOf('A-02', ['none', 'each is a JSON array'], ['all', 'each is { items, totalCount }']),
  errorFormat: oneOf(
    'A-05',
    ['problem', 'RFC 9457, application/problem+json'],
    ['error', '{ "error": { "code", "message" } }'],
    ['message', '{ "message", "statusCode" }'],
  ),
  violationStatus: oneOf('A-06', [400, '400'], [422, '422']),
  otherOrganization: oneOf('A-07', [403, '403'], [404, '404']),
  foreignRecord: oneOf(
    'A-08',
    [404, '404, as for a record that does not exist'],
    [403, '403, which reveals that the record exists'],
  ),
  absentValues: oneOf('A-09', ['typed', 'the documented type'], ['null', 'null']),
  signalStatuses: statusNames(
    'A-10',
    signalStatuses,
    ['OPEN', 'IN_PROGRESS', 'CLOSED', 'DISMISSED'],
    ['new', 'active', 'resolved', 'rejected'],
  ),
  customerStatuses: statusNames(
    'A-11',
    customerStatuses,
    ['ACTIVE', 'ONBOARDING', 'CHURNED', 'PROSPECT'],
    ['live', 'implementation', 'lost', 'lead'],
  ),
  team: oneOf(
    'A-12',
    ['peers', 'the members under the caller’s manager, the caller included'],
    ['branch', 'the caller’s manager and everyone below, at every level'],
  ),
  arrayEncoding: oneOf(
    'A-13',
    ['repeat', 'segment=a&segment=b, segment[]=a and segment[0]=a'],
    ['comma', 'the same, and segment=a,b'],
  ),
  unknownParameters: oneOf('A-15', ['ignored', 'ignored, with a warning'], ['refused', 'rejected with 400']),
  noteTouches: oneOf(
    'A-32',
    ['nothing', 'a note does not change its customer’s updatedDate'],
    ['customer', 'a note sets its customer’s updatedDate to now'],
  ),
  timestamps: oneOf(
    'A-35',
    ['milliseconds', '2026-01-15T12:00:00.000Z'],
    ['seconds', '2026-01-15T12:00:00Z'],
    ['offset', '2026-01-15T12:00:00.000+00:00'],
  ),
  createStatus: oneOf('A-39', [200, '200, as documented'], [201, '201']),
} as const

export type ChoiceName = keyof typeof choices

export type Settings = {
  readonly [N in ChoiceName]: (typeof choices)[N] extends Choice<infer V> ? V : never
} & { readonly present?: Readonly<Record<string, Presenter<never> | undefined>> }

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const choiceNames = Object.keys(choices) as ChoiceName[]

/** Turns a record as the sandbox assumes it into one of the real service, which fits the schema if there is one. */
export type Presenter<R> =
  | ((record: R) => object)
  | { readonly schema: z.ZodType; readonly present: (record: R) => object }

/** Returns the name to set an assumption by; null if it cannot be set. */
export const findChoiceName = (id: AssumptionId): ChoiceName | null =>
  choiceNames.find((name) => choices[name].assumption === id) ?? null

function oneOf<const V extends string | number>(
  assumption: AssumptionId,
  ...meanings: readonly (readonly [value: V, meaning: string])[]
): Choice<V> {
  const values = meanings.map(([value]) => value)
  return {
    assumption,
    alternatives: meanings.map(([value, meaning]) => ({ value, meaning })),
    schema: z.custom<V>((value) => values.some((known) => known === value), {
      error: ({ input }) =>
        values.some((value) => String(value) === input)
          ? `must be the number ${values.join(' or ')}`
          : `must be one of ${values.join(', ')}`,
    }),
    read: (text) => values.find((value) => String(value) === text) ?? text,
    write: String,
  }
}

function statusNames<const M extends string>(
  assumption: AssumptionId,
  meanings: Meanings<M>,
  ...others: readonly Meanings[]
): Choice<StatusNames<M>> {
  return {
    assumption,
    alternatives: [meanings, ...others].map((value) => ({ value, meaning: value.join(', ') })),
    schema: z.custom<StatusNames<M>>((value) => validateStatusNames(value, meanings) === undefined, {
      error: ({ input }) => validateStatusNames(input, meanings),
    }),
    read: (text) => (text.startsWith('{') ? (parseJson(text) ?? text) : text.split(',')),
    write: (value) => (Array.isArray(value) ? value.join(',') : JSON.stringify(value)),
  }
}
