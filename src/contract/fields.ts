import * as z from 'zod'

import { isShallow, MAX_DEPTH, nestedTooDeep } from '../core/json.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { getOrCreate } from '../core/maps.ts'
import type { AssumptionId } from './assumptions.ts'
import type { Settings } from './choices.ts'
import { adapt } from './codecs.ts'
import { assumed, documented } from './provenance.ts'

/** The largest integer id, offset or path id. Source: Limits. */
export const MAX_INTEGER = 9_007_199_254_740_991

const BEYOND = MAX_INTEGER + 1

/** Source: Resources and their fields, "integer ids are in the range (0 .. 9007199254740991]". */
export const recordId: z.ZodInt = z.int().positive().max(MAX_INTEGER)

export const between = (min: number, max: number): z.ZodInt =>
  z.int(`must be a whole number from ${min} to ${max}`).min(min).max(max)

export const zeroOrMore: z.ZodInt = z.int('must be a whole number').nonnegative('must be at least 0')

/** The dates of the calendar, and the minutes of a day, as parts of regular expressions. */
const DAY = String.raw`(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))`
const MINUTE = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`

/** Creates a pattern of times of the calendar. @param end what follows the minutes */
const createPattern = (end: string): RegExp => new RegExp(`^${DAY}T${MINUTE}${end}$`)

export const date: z.ZodString = z
  .string()
  .regex(new RegExp(`^${DAY}$`), 'must be a date of the calendar like 2026-01-15')
  .meta({ format: 'date' })

const UTC_DATE_TIME = createPattern(String.raw`(?::[0-5]\d(?:\.\d+)?)?Z`)

/**
 * A date-time parameter.
 * Source: Customer list parameters, `updatedSince`: a valid calendar date-time in UTC with the `Z` suffix;
 * seconds and fractional seconds are optional.
 */
export const utcDateTime: z.ZodString = z.string().regex(UTC_DATE_TIME, {
  error: 'must be a valid calendar date-time in UTC with the Z suffix, like 2026-01-15T12:00Z',
  // In a union, its own message takes precedence then.
  abort: true,
})

/** Limits an instant to those that a dataset can be made at, so that years of four digits follow and precede them. */
export const withinDatasetTimes = <T extends z.ZodString>(time: T): T =>
  time.refine((text) => text >= '1970' && text < '99', 'must be from 1970-01-01T00:00Z to 9899-12-31T23:59Z')

/** Declares a value whose objects may have any names, but not `__proto__`, which zod drops in silence. */
export function anyNames<T extends z.ZodType>(inner: T): z.ZodType<z.output<T>, z.input<T>> {
  const schema = z.preprocess((value, context) => {
    if (Object.hasOwn(Object(value), '__proto__')) {
      context.addIssue({ code: 'custom', path: ['__proto__'], message: 'is a name that cannot be used' })
    }
    return value
  }, inner)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it takes what the inner schema takes
  return schema as z.ZodType<z.output<T>, z.input<T>>
}

/** Numbers below 0 as well, so that the schema of a parameter says which ones it accepts. Source: assumption A-16. */
const DIGITS = /^(?:\d+|-0*[1-9]\d*)$/

/** Declares an integer in a path or query; `inner` checks it as a number. */
export function integerParameter<T extends z.ZodType>(inner: T): z.ZodPreprocess<T> {
  return z.preprocess(
    (value) => (typeof value === 'string' && DIGITS.test(value) ? Math.min(Number(value), BEYOND) : value),
    inner,
  )
}

const integer = (): z.ZodInt => z.int('must be a single whole number')

const tooLarge = `must be at most ${MAX_INTEGER}`

const id = integer().positive('must be greater than 0').max(MAX_INTEGER, tooLarge)

/** A path id. Source: Limits, `Path id range`. */
export const idParameter: z.ZodPreprocess<z.ZodInt> = integerParameter(
  documented(id, 'Limits, Path id range'),
)

export function idFilter(source: string, description: string): z.ZodPreprocess<z.ZodOptional<z.ZodInt>> {
  return integerParameter(documented(id.optional(), source, 'A-34').describe(description))
}

type Mark = (schema: z.ZodDefault<z.ZodInt>, limit: string) => z.ZodDefault<z.ZodInt>

/** The size of a page whose request names none. Source: Limits. */
export const DEFAULT_LIMIT = 100

/** Declares the parameters of pagination. Source: Endpoints, Pagination parameters; Limits. */
const createPagination = (mark: Mark) => ({
  offset: integerParameter(
    mark(integer().nonnegative('must be 0 or more').max(MAX_INTEGER, tooLarge).default(0), 'offset').describe(
      'The number of matches to skip',
    ),
  ),
  limit: integerParameter(
    mark(
      integer().positive('must be greater than 0').max(250, 'must be at most 250').default(DEFAULT_LIMIT),
      'limit',
    ).describe('The maximum number of matches to return'),
  ),
})

export const pagination = createPagination((schema, limit) => documented(schema, `Limits, ${limit}`))

export const assumedPagination = (by: AssumptionId): typeof pagination =>
  createPagination((schema) => assumed(schema, by))

export const textParameter: z.ZodString = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a single value') })
  .min(1, 'must have at least 1 character')

/** Declares an array parameter. Source: Limits, Array filter size. */
export function arrayParameter(source: string, description: string) {
  const element = z.string().min(1, 'must have at least 1 character')
  const elements = z.array(element).min(1, 'must have at least 1 element').optional()
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    documented(elements, source, 'A-13').describe(description),
  )
}

type Form = Settings['timestamps']

/** The pattern of timestamps in each form, with an example. Source: assumption A-35. */
export const instantPatterns = {
  milliseconds: [createPattern(String.raw`:[0-5]\d\.\d{3}Z`), '2026-01-15T12:00:00.000Z'],
  seconds: [createPattern(String.raw`:[0-5]\dZ`), '2026-01-15T12:00:00Z'],
  offset: [createPattern(String.raw`:[0-5]\d\.\d{3}\+00:00`), '2026-01-15T12:00:00.000+00:00'],
} as const satisfies Readonly<Record<Form, readonly [pattern: RegExp, example: string]>>

function createSchemas(form: Form) {
  const [pattern, example] = instantPatterns[form]
  const schema = z
    .string()
    .regex(pattern, `must be an instant of the calendar like ${example}`)
    .meta({ id: 'Timestamp', format: 'date-time' })
  return {
    schema,
    typed: z.union([schema, z.literal('')]).meta({ id: 'OptionalTimestamp' }),
    null: schema.nullable().meta({ id: 'OptionalTimestamp' }),
  }
}

const schemas = new Map<Form, ReturnType<typeof createSchemas>>()

const getSchemas = (form: Form) => getOrCreate(schemas, form, () => createSchemas(form))

function encodeInstant(value: unknown, form: Form): unknown {
  if (typeof value !== 'string' || form === 'milliseconds') return value
  return form === 'seconds' ? value.replace(/\.\d+Z$/, 'Z') : value.replace(/Z$/, '+00:00')
}

function decodeInstant(value: unknown): unknown {
  const [, seconds, fraction = '.000'] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{3})?(?:Z|\+00:00)$/.exec(
      typeof value === 'string' ? value : '',
    ) ?? []
  return seconds === undefined ? value : `${seconds}${fraction}Z`
}

/** An instant in a response: ISO 8601 in UTC with milliseconds. Source: assumption A-35. */
export const instant: z.ZodString = adapt(getSchemas('milliseconds').schema, ({ timestamps: form }) =>
  form === 'milliseconds'
    ? undefined
    : {
        schema: getSchemas(form).schema,
        encode: (value) => encodeInstant(value, form),
        decode: decodeInstant,
      },
)

/**
 * Converts an instant to a form that sorts as text and keeps all digits.
 * Source: assumption A-33; seconds are optional in the document's format.
 */
export function toSortable(time: string): string {
  const [, minutes = '', seconds = '00', fraction = ''] =
    /^(.{16})(?::(\d\d)(?:\.(\d+))?)?Z$/.exec(time) ?? []
  return `${minutes}:${seconds}.${fraction.replace(/(?<!0)0+$/, '')}`
}

const toNull = (value: unknown): unknown => (value === '' ? null : value)
const toEmpty = (value: unknown): unknown => (value === null ? '' : value)

/** An instant in a response, or "" if it is absent. Source: assumptions. */
export const instantOrEmpty: z.ZodType<string, string> = adapt(
  getSchemas('milliseconds').typed,
  ({ absentValues, timestamps: form }) => {
    const isTyped = absentValues === 'typed'
    if (isTyped && form === 'milliseconds') return undefined
    return {
      schema: getSchemas(form)[absentValues],
      encode: (value) => encodeInstant(isTyped ? value : toNull(value), form),
      decode: (value) => decodeInstant(isTyped ? value : toEmpty(value)),
    }
  },
)

/** A text in a response, or "" if it is absent. Source: assumption A-09. */
const textOrEmpty: z.ZodString = adapt(z.string(), ({ absentValues }) =>
  absentValues === 'typed' ? undefined : { schema: z.string().nullable(), encode: toNull, decode: toEmpty },
)

/** Declares a documented text that may be absent. Source: assumption A-09. */
export const optionalText = (source: string): z.ZodString => documented(textOrEmpty, source, 'A-09')

/** Declares a documented instant that may be absent. Source: assumption A-09. */
export const optionalInstant = (source: string): z.ZodType<string, string> =>
  documented(instantOrEmpty, source, 'A-09')

export const anyValue: z.ZodType = z
  .unknown()
  .refine((value) => value !== undefined, 'must have a value')
  .refine((value) => isShallow(value, MAX_DEPTH), nestedTooDeep)

/** Units: customers of the first organization. */
export const MAX_SIZE = 100_000

export const MadeWith = lazyStrictObject(() => ({
  seed: z.int().nonnegative().max(MAX_INTEGER),
  size: z.int().min(3).max(MAX_SIZE),
  now: withinDatasetTimes(utcDateTime),
})).partial()

/** The fixtures that come with the sandbox. */
export const fixtureNames = ['default', 'edge-cases', 'empty'] as const

/** Reports whether a fixture is a file rather than a name: it has a slash or ends in `.json`. */
export function isFixturePath(fixture: string): boolean {
  return /[\\/]|\.json$/i.test(fixture)
}
