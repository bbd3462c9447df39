import * as z from 'zod'

import { date, instant, recordId, utcDateTime } from '../../contract/fields.ts'
import { type TableName, tables } from '../../store/tables.ts'
import { lookupValue } from '../../store/tables/define.ts'

const instantInput = utcDateTime
  .refine((text) => !/\.\d{4}/.test(text), 'must not be finer than a millisecond')
  .transform(addMilliseconds)

export const optionalInstant = z
  .string()
  .nullable()
  .transform((text) => (text === '' ? null : text))
  .pipe(instantInput.nullable())

export const dateInput = date.refine(
  (text) => utcDateTime.safeParse(`${text}T00:00Z`).success,
  'must be a date of the calendar',
)

export const optionalText = z
  .string()
  .nullable()
  .transform((text) => (text === '' ? null : text))

function addMilliseconds(text: string): string {
  const [, minutes = '', seconds = '00', fraction = ''] =
    /^(.{16})(?::(\d\d)(?:\.(\d+))?)?Z$/.exec(text) ?? []
  return `${minutes}:${seconds}.${fraction.padEnd(3, '0')}Z`
}

type RowShape<T extends TableName> = (typeof tables)[T]['row']['shape']

type InputFields<T extends TableName> = {
  [K in Exclude<keyof RowShape<T>, 'learned'>]: z.ZodOptional<Extract<RowShape<T>[K], z.ZodType>>
}

/** Derives the input fields from a table's row: all optional, dates in any form that the document allows; no learned values. */
export function inputFields<T extends TableName>(table: T): InputFields<T> {
  const fields = Object.entries<z.ZodType>(tables[table].row.shape).flatMap(([name, field]) =>
    name === 'learned' ? [] : [[name, toInput(name === 'organizationId' ? z.string() : field).optional()]],
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field converts what it accepts to the row's type
  return Object.fromEntries(fields) as InputFields<T>
}

function toInput(field: z.ZodType): z.ZodType {
  if (field === instant) return instantInput
  return field instanceof z.ZodNullable && field.unwrap() === instant ? optionalInstant : field
}

export function convertInput<Input, S extends z.ZodType>(
  schema: S,
  convert: (input: unknown) => unknown,
): z.ZodType<z.output<S>, Input> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod does not know the input type of a preprocessing function
  return z.preprocess(convert, schema) as z.ZodType<z.output<S>, Input>
}

/** A value of a catalogue; null, "" or its "none" entry if absent. Source: assumption A-09. */
export function optionalLookup(none: z.infer<typeof lookupValue>) {
  const isNone = (value: unknown): boolean => {
    if (value === '') return true
    const lookup = lookupValue.safeParse(value)
    return lookup.success && lookup.data.id === none.id && lookup.data.name === none.name
  }
  return convertInput<z.input<typeof lookupValue> | '' | null, z.ZodNullable<typeof lookupValue>>(
    lookupValue.nullable(),
    (input) => (isNone(input) ? null : input),
  )
}

/** Another record, by id or embedded; further fields of an embedded record are ignored. */
export function recordInput<S extends z.ZodObject>(
  embedded: S,
): z.ZodType<number, number | (Partial<z.input<S>> & { readonly id: number })> {
  const schema: z.ZodObject = z.strictObject({ ...embedded.partial().shape, id: recordId })
  const id = schema.transform((record) => recordId.parse(record['id']))
  return convertInput(id, (input) => (typeof input === 'number' ? { id: input } : input))
}
