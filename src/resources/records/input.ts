import * as z from 'zod'

import type { FieldError } from '../../contract/errors.ts'
import { date, recordId, utcDateTime } from '../../contract/fields.ts'
import { bodyErrors } from '../../contract/issues.ts'

/** What every record may be given. */
export const owned = { id: recordId.optional(), organizationId: z.string().optional() }

/** A UTC date-time, in any spelling that the document allows of one; kept with milliseconds. */
export const instantInput = utcDateTime
  .refine((text) => !/\.\d{4}/.test(text), 'must not be finer than a millisecond')
  .transform(withMilliseconds)

/** A UTC date-time, or "" or null for none. */
export const optionalInstant = z
  .string()
  .nullable()
  .transform((text) => (text === '' ? null : text))
  .pipe(instantInput.nullable())

/** A calendar date. */
export const dateInput = date.refine(
  (text) => utcDateTime.safeParse(`${text}T00:00Z`).success,
  'must be a date of the calendar',
)

/** A text, or "" or null for none. */
export const optionalText = z
  .string()
  .nullable()
  .transform((text) => (text === '' ? null : text))

function withMilliseconds(text: string): string {
  const [, minutes = '', seconds = '00', fraction = ''] =
    /^(.{16})(?::(\d\d)(?:\.(\d+))?)?Z$/.exec(text) ?? []
  return `${minutes}:${seconds}.${fraction.padEnd(3, '0')}Z`
}

/** A schema that also takes other spellings, which `spelt` writes as the schema takes them. */
export function accepting<Input, S extends z.ZodType>(
  schema: S,
  spelt: (given: unknown) => unknown,
): z.ZodType<z.output<S>, Input> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod does not see what a preprocessing function takes
  return z.preprocess(spelt, schema) as z.ZodType<z.output<S>, Input>
}

/** A value of a catalogue. */
export const lookup = z.strictObject({ id: recordId, name: z.string() })

/** A value of a catalogue, or null, "" or the catalogue's entry for none. Source: assumption A-09. */
export function optionalLookup(none: z.infer<typeof lookup>) {
  const isNone = (given: unknown): boolean => {
    if (given === '') return true
    const found = lookup.safeParse(given)
    return found.success && found.data.id === none.id && found.data.name === none.name
  }
  return accepting<z.input<typeof lookup> | '' | null, z.ZodNullable<typeof lookup>>(
    lookup.nullable(),
    (given) => (isNone(given) ? null : given),
  )
}

/** Another record, as its id or embedded; whatever is embedded beside the id is not looked at. */
export function reference<S extends z.ZodObject>(
  embedded: S,
): z.ZodType<number, number | (Partial<z.input<S>> & { readonly id: number })> {
  const schema: z.ZodObject = z.strictObject({ ...embedded.partial().shape, id: recordId })
  const id = schema.transform((given) => recordId.parse(given['id']))
  return accepting(id, (given) => (typeof given === 'number' ? { id: given } : given))
}

/** What zod found in a given record: one for each place, an unknown key with the nearest known one there. */
export function inputErrors(input: z.ZodType, issues: readonly z.core.$ZodIssue[]): FieldError[] {
  return issues.flatMap((issue) => bodyErrors([issue], keysAt(input, issue.path)))
}

function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const inner = unwrapped(schema)
  const [key, ...rest] = path
  if (key === undefined) return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
  if (inner instanceof z.ZodArray) return keysAt(inner.element, rest)
  return inner instanceof z.ZodObject ? keysAt(inner.shape[String(key)], rest) : []
}

function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrapped(schema.unwrap())
  if (schema instanceof z.ZodPipe) {
    return unwrapped(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  }
  return schema
}
