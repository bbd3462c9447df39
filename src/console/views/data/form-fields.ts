import { type Schema, typesOf } from './contract.ts'
import { type AnyRecord } from './words.ts'

/** A field that a form can take. */
export interface FormField {
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean'
  readonly isLong: boolean
  /** What it can be; empty where that is not known. */
  readonly options: readonly string[]
}

/** Longer texts have more than a line. */
const LINE = 70

/**
 * The simple fields of a record: texts, numbers, yes or no. Order: as in the record.
 * @param item what the service says of such records
 */
export function formFields(record: AnyRecord, item: Schema): readonly FormField[] {
  const names = new Set([...Object.keys(item.properties ?? {}), ...Object.keys(record)])
  return Array.from(names).flatMap((name): FormField | [] => {
    if (name === 'id' || name === 'organizationId') return []
    const value = record[name]
    const schema = item.properties?.[name]
    const kind = kindOf(name, value, schema)
    const options = kind === 'boolean' ? ['true', 'false'] : (schema?.enum?.map(String) ?? [])
    return kind ? { name, kind, options, isLong: typeof value === 'string' && value.length > LINE } : []
  })
}

function kindOf(name: string, value: unknown, schema: Schema | undefined): FormField['kind'] | undefined {
  const types = schema ? typesOf(schema) : [value === null && name.endsWith('Id') ? 'integer' : typeof value]
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer') || types.includes('number')) return 'number'
  return types.includes('string') ? 'text' : undefined
}

/** What a form says of each field. */
export type FormValues = Readonly<Record<string, string>>

/** A record as a form shows it. */
export function valuesOf(record: AnyRecord, fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map(({ name }) => [name, textOf(record[name])]))
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** What a form says otherwise than before, as it is sent: a number that is none goes as it is, to be refused by name. */
export function changesIn(fields: readonly FormField[], values: FormValues, before: FormValues): AnyRecord {
  const changed = fields.filter(({ name }) => (values[name] ?? '') !== (before[name] ?? ''))
  return Object.fromEntries(changed.map((field) => [field.name, parsed(field, values[field.name] ?? '')]))
}

function parsed({ kind }: FormField, text: string): unknown {
  if (kind === 'boolean') return text === '' ? null : text === 'true'
  if (kind !== 'number') return text
  if (text.trim() === '') return null
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}
