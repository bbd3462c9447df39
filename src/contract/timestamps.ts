import * as z from 'zod'

import type { Settings } from './choices.ts'
import { varies } from './variation.ts'

type Form = Settings['timestamps']

/** What an instant looks like, and what the default form becomes. */
const forms: Readonly<Record<Form, { readonly pattern: string; readonly example: string }>> = {
  milliseconds: {
    pattern: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`,
    example: '2026-01-15T12:00:00.000Z',
  },
  seconds: { pattern: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`, example: '2026-01-15T12:00:00Z' },
  offset: {
    pattern: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00`,
    example: '2026-01-15T12:00:00.000+00:00',
  },
}

const instantOf = (form: Form): z.ZodString =>
  z
    .string()
    .regex(new RegExp(`^${forms[form].pattern}$`), `must be an instant like ${forms[form].example}`)
    .meta({ id: 'Timestamp', format: 'date-time' })

/** An instant in each form: one schema each, which the OpenAPI document shows once. */
const instants: Readonly<Record<Form, z.ZodString>> = {
  milliseconds: instantOf('milliseconds'),
  seconds: instantOf('seconds'),
  offset: instantOf('offset'),
}

const orEmptyIn = (form: Form) => z.union([instants[form], z.literal('')]).meta({ id: 'OptionalTimestamp' })
const orNullIn = (form: Form) => instants[form].nullable().meta({ id: 'OptionalTimestamp' })

/** An instant that may be absent, in each form. */
const optionalInstants = {
  typed: {
    milliseconds: orEmptyIn('milliseconds'),
    seconds: orEmptyIn('seconds'),
    offset: orEmptyIn('offset'),
  },
  null: {
    milliseconds: orNullIn('milliseconds'),
    seconds: orNullIn('seconds'),
    offset: orNullIn('offset'),
  },
} as const satisfies Readonly<Record<Settings['absentValues'], Readonly<Record<Form, z.ZodType>>>>

function encoded(form: Form): (value: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'string' || value === '') return value
    return form === 'seconds' ? value.replace(/\.\d+Z$/, 'Z') : value.replace(/Z$/, '+00:00')
  }
}

/** Any instant in UTC in the default form; what is none is left. */
function decoded(value: unknown): unknown {
  const [, seconds, fraction = '.000'] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{3})?(?:Z|\+00:00)$/.exec(
      typeof value === 'string' ? value : '',
    ) ?? []
  return seconds === undefined ? value : `${seconds}${fraction}Z`
}

/** An instant in an answer: ISO 8601 in UTC with milliseconds. Source: assumption A-35. */
export const instant: z.ZodString = varies(instants.milliseconds, ({ timestamps }) =>
  timestamps === 'milliseconds'
    ? undefined
    : { schema: instants[timestamps], encode: encoded(timestamps), decode: decoded },
)

/** An instant in an answer, or "" where there is none. Source: assumptions. */
export const instantOrEmpty: z.ZodType<string, string> = varies(
  optionalInstants.typed.milliseconds,
  ({ absentValues, timestamps }) => {
    if (absentValues === 'typed' && timestamps === 'milliseconds') return undefined
    const schema = optionalInstants[absentValues][timestamps]
    const encode = timestamps === 'milliseconds' ? (value: unknown) => value : encoded(timestamps)
    if (absentValues === 'typed') return { schema, encode, decode: decoded }
    return { schema, encode: (value) => (value === '' ? null : encode(value)), decode: orEmpty(decoded) }
  },
)

/** A text in an answer, or "" where there is none. Source: assumption A-09. */
export const textOrEmpty: z.ZodString = varies(z.string(), ({ absentValues }) =>
  absentValues === 'typed'
    ? undefined
    : {
        schema: z.string().nullable(),
        encode: (value) => (value === '' ? null : value),
        decode: orEmpty((value) => value),
      },
)

function orEmpty(decode: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => (value === null ? '' : decode(value))
}
