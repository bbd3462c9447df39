import * as z from 'zod'

import type { AssumptionId } from './assumptions.ts'
import { assumed, documented } from './provenance.ts'
import { instantOrEmpty, textOrEmpty } from './timestamps.ts'
import { varies } from './variation.ts'

/** The largest integer id, offset or path id. Source: Limits. */
export const MAX_INTEGER = 9_007_199_254_740_991

/** Stands for every number that is too large, however many digits it has. */
const BEYOND = MAX_INTEGER + 1

/** Source: Resources and their fields, "integer ids are in the range (0 .. 9007199254740991]". */
export const recordId: z.ZodInt = z.int().positive().max(MAX_INTEGER)

export { instant, instantOrEmpty } from './timestamps.ts'

/** A calendar date. */
export const date: z.ZodString = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, 'must be a date like 2026-01-15')
  .meta({ format: 'date' })

const UTC_DATE_TIME =
  /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z$/

/**
 * A date-time parameter.
 * Source: Customer list parameters, `updatedSince`: a valid calendar date-time in UTC with the `Z` suffix;
 * seconds and fractional seconds are optional.
 */
export const utcDateTime: z.ZodString = z
  .string()
  .regex(UTC_DATE_TIME, 'must be a valid calendar date-time in UTC with the Z suffix, like 2026-01-15T12:00Z')

/** An integer on the wire: decimal digits, checked by `inner` as a number. Source: assumption A-16. */
export function integerParameter<T extends z.ZodType>(inner: T): z.ZodPreprocess<T> {
  const schema = readAs(/^\d+$/, inner)
  return varies(schema, ({ integers }) =>
    integers === 'digits' ? undefined : { schema: readAs(/^ *[+-]?\d+(?:\.0*)?(?:e\+?\d+)? *$/i, inner) },
  )
}

function readAs<T extends z.ZodType>(pattern: RegExp, inner: T): z.ZodPreprocess<T> {
  return z.preprocess(
    (value) => (typeof value === 'string' && pattern.test(value) ? Math.min(Number(value), BEYOND) : value),
    inner,
  )
}

const integer = (): z.ZodInt => z.int('must be a whole number in decimal digits, given once')

const tooLarge = `must be at most ${MAX_INTEGER}`

const id = integer().positive('must be greater than 0').max(MAX_INTEGER, tooLarge)

/** A path id. Source: Limits, `Path id range`. */
export const idParameter: z.ZodPreprocess<z.ZodInt> = integerParameter(
  documented(id, 'Limits, Path id range'),
)

/** An optional id in a query. Source: Limits, `Path id range`. */
export function idFilter(source: string, description: string): z.ZodPreprocess<z.ZodOptional<z.ZodInt>> {
  return integerParameter(documented(id.optional(), source, 'A-34').describe(description))
}

type Mark = (schema: z.ZodDefault<z.ZodInt>, limit: string) => z.ZodDefault<z.ZodInt>

/** Source: Endpoints, Pagination parameters; Limits. */
const paginationMarked = (mark: Mark) => ({
  offset: integerParameter(
    mark(
      integer().nonnegative('must be at least 0').max(MAX_INTEGER, tooLarge).default(0),
      'offset',
    ).describe('How many matches to leave out'),
  ),
  limit: integerParameter(
    mark(
      integer().positive('must be greater than 0').max(250, 'must be at most 250').default(100),
      'limit',
    ).describe('How many matches to answer at most'),
  ),
})

/** The two parameters of every operation with pagination. */
export const pagination = paginationMarked((schema, limit) => documented(schema, `Limits, ${limit}`))

/** The same two parameters for an operation whose query the document does not show. */
export const assumedPagination = (by: AssumptionId): typeof pagination =>
  paginationMarked((schema) => assumed(schema, by))

/** A text parameter that may be given once and not be empty. */
export const textParameter: z.ZodString = z
  .string('must be given once')
  .min(1, 'must have at least 1 character')

/** An array parameter: at least 1 element, each at least 1 character. Source: Limits, Array filter size. */
export function arrayParameter(source: string, description: string) {
  const element = z.string().min(1, 'must have at least 1 character')
  const elements = z.array(element).min(1, 'must have at least 1 element').optional()
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    documented(elements, source, 'A-13').describe(description),
  )
}

/** Marks a text of an answer that may be absent: "" then. Source: assumption A-09. */
export const optionalText = (source: string): z.ZodString => documented(textOrEmpty, source, 'A-09')

/** Marks an instant of an answer that may be absent: "" then. Source: assumption A-09. */
export const optionalInstant = (source: string): z.ZodType<string, string> =>
  documented(instantOrEmpty, source, 'A-09')

/** A JSON value of any type; a key without a value is refused. */
export const anyValue: z.ZodType = z.unknown().refine((value) => value !== undefined, 'must have a value')
