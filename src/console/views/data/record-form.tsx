import { useLayoutEffect, useRef } from 'preact/hooks'

import { Input, Select } from '../../components/form.tsx'
import { Problem, omitFieldErrors } from '../../components/problem.tsx'
import { type Schema, listTypes } from '../../components/schema.ts'
import type { AnyRecord } from './labels.ts'

export interface FieldInputsProps {
  readonly fields: readonly FormField[]
  readonly values: FormValues
  /** The error of the last submission; the first invalid field gets the focus. */
  readonly error: unknown
  /** The placeholder of an empty field. */
  readonly empty: string
  readonly onChange: (values: FormValues) => void
}

/** Renders the fields of a record as inputs with their validation errors. */
export function FieldInputs({ fields, values, error, empty, onChange }: FieldInputsProps) {
  const form = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  const written = fields.filter(({ options }) => options.length === 0).map(({ name }) => name)
  return (
    <>
      <div class="data-form" ref={form}>
        {fields.map(({ name, isLong, options }) => {
          const value = values[name] ?? ''
          const common = { label: name, value, set: (text: string) => onChange({ ...values, [name]: text }) }
          return (
            <div key={name} class={isLong ? 'data-long' : undefined}>
              {options.length > 0 ? (
                <Select {...common} options={listChoices(options, value, empty)} />
              ) : (
                <Input
                  {...common}
                  name={name}
                  error={error}
                  placeholder={empty}
                  {...(isLong && { rows: 3 })}
                />
              )}
            </div>
          )
        })}
      </div>
      <Problem error={omitFieldErrors(error, written)} />
    </>
  )
}

/** Lists the options of a select, including the current value, and an empty one if it applies. */
function listChoices(
  options: readonly string[],
  value: string,
  empty: string,
): Readonly<Record<string, string>> {
  const nothing = empty !== '' || value === '' ? { '': empty } : {}
  return { ...nothing, ...Object.fromEntries([value, ...options].filter(Boolean).map((one) => [one, one])) }
}

/** A field that a form can edit. */
export interface FormField {
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean'
  readonly isLong: boolean
  /** The allowed values; empty if unknown. */
  readonly options: readonly string[]
}

/** The length up to which text gets a single line. */
const LINE = 70

/**
 * Lists the fields of a record that hold text, numbers or booleans. Order: as in the record.
 * @param item the schema of such records
 */
export function listFormFields(record: AnyRecord, item: Schema): readonly FormField[] {
  const names = new Set([...Object.keys(item.properties ?? {}), ...Object.keys(record)])
  return Array.from(names).flatMap((name): FormField | [] => {
    if (name === 'id' || name === 'organizationId') return []
    const value = record[name]
    const schema = item.properties?.[name]
    const kind = getKind(name, value, schema)
    const options = kind === 'boolean' ? ['true', 'false'] : (schema?.enum?.map(String) ?? [])
    return kind ? { name, kind, options, isLong: typeof value === 'string' && value.length > LINE } : []
  })
}

function getKind(name: string, value: unknown, schema: Schema | undefined): FormField['kind'] | undefined {
  const types = schema
    ? listTypes(schema)
    : [value === null && name.endsWith('Id') ? 'integer' : typeof value]
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer') || types.includes('number')) return 'number'
  return types.includes('string') ? 'text' : undefined
}

/** The entered text of each field. */
export type FormValues = Readonly<Record<string, string>>

/** Converts a record to the texts of a form. */
export function toFormValues(record: AnyRecord, fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map(({ name }) => [name, toInputText(record[name])]))
}

const toInputText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** Collects the changed fields of a form; invalid numbers stay text, so that the service can reject them by name. */
export function getChangedFields(
  fields: readonly FormField[],
  values: FormValues,
  before: FormValues,
): AnyRecord {
  const changed = fields.filter(({ name }) => (values[name] ?? '') !== (before[name] ?? ''))
  return Object.fromEntries(changed.map((field) => [field.name, parseValue(field, values[field.name] ?? '')]))
}

function parseValue({ kind }: FormField, text: string): unknown {
  if (kind === 'boolean') return text === '' ? null : text === 'true'
  if (kind !== 'number') return text
  if (text.trim() === '') return null
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}
