import * as z from 'zod'

import { getOrCreate } from '../core/maps.ts'
import type { Settings } from './choices.ts'
import { adapt, type WireFormat } from './codecs.ts'

type Form = Settings['timestamps']

const patterns = {
  milliseconds: [String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`, '2026-01-15T12:00:00.000Z'],
  seconds: [String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`, '2026-01-15T12:00:00Z'],
  offset: [String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00`, '2026-01-15T12:00:00.000+00:00'],
} as const satisfies Readonly<Record<Form, readonly [pattern: string, example: string]>>

function createSchemas(form: Form) {
  const [pattern, example] = patterns[form]
  const schema = z
    .string()
    .regex(new RegExp(`^${pattern}$`), `must be an instant like ${example}`)
    .meta({ id: 'Timestamp', format: 'date-time' })
  return {
    schema,
    typed: z.union([schema, z.literal('')]).meta({ id: 'OptionalTimestamp' }),
    null: schema.nullable().meta({ id: 'OptionalTimestamp' }),
  }
}

const schemas = new Map<Form, ReturnType<typeof createSchemas>>()

const getSchemas = (form: Form) => getOrCreate(schemas, form, () => createSchemas(form))

const encode =
  (form: Form) =>
  (value: unknown): unknown => {
    if (typeof value !== 'string' || value === '' || form === 'milliseconds') return value
    return form === 'seconds' ? value.replace(/\.\d+Z$/, 'Z') : value.replace(/Z$/, '+00:00')
  }

function decode(value: unknown): unknown {
  const [, seconds, fraction = '.000'] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{3})?(?:Z|\+00:00)$/.exec(
      typeof value === 'string' ? value : '',
    ) ?? []
  return seconds === undefined ? value : `${seconds}${fraction}Z`
}

/** An instant in a response: ISO 8601 in UTC with milliseconds. Source: assumption A-35. */
export const instant: z.ZodString = adapt(getSchemas('milliseconds').schema, ({ timestamps: form }) =>
  form === 'milliseconds' ? undefined : { schema: getSchemas(form).schema, encode: encode(form), decode },
)

/** An instant in a response, or "" if it is absent. Source: assumptions. */
export const instantOrEmpty: z.ZodType<string, string> = adapt(
  getSchemas('milliseconds').typed,
  ({ absentValues, timestamps: form }) => {
    if (absentValues === 'typed' && form === 'milliseconds') return undefined
    const format = { schema: getSchemas(form)[absentValues], encode: encode(form), decode }
    return absentValues === 'typed' ? format : withNull(format)
  },
)

/** A text in a response, or "" if it is absent. Source: assumption A-09. */
export const textOrEmpty: z.ZodString = adapt(z.string(), ({ absentValues }) =>
  absentValues === 'typed'
    ? undefined
    : withNull({ schema: z.string().nullable(), encode: (value) => value, decode: (value) => value }),
)

type Format = Required<Pick<WireFormat, 'schema' | 'encode' | 'decode'>>

const withNull = ({ schema, ...format }: Format): Format => ({
  schema,
  encode: (value) => (value === '' ? null : format.encode(value)),
  decode: (value) => (value === null ? '' : format.decode(value)),
})
