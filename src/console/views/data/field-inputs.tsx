import { useEffect, useRef } from 'preact/hooks'

import { elsewhere } from '../../parts/field-errors.ts'
import { Input } from '../../parts/input.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Select } from '../../parts/select.tsx'
import type { FormField, FormValues } from './form-fields.ts'

export interface FieldInputsProps {
  readonly fields: readonly FormField[]
  readonly values: FormValues
  /** Why it was refused: the first field of which something is said gets the focus. */
  readonly error: unknown
  /** What a field says that is empty. */
  readonly empty: string
  readonly onChange: (values: FormValues) => void
}

/** The fields of a record, to fill in; what is wrong with one stands at it. */
export function FieldInputs({ fields, values, error, empty, onChange }: FieldInputsProps) {
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
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
                <Select {...common} options={choices(options, value, empty)} />
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
      <Problem error={elsewhere(error, written)} />
    </>
  )
}

/** What can be chosen: nothing where that says something or is so, and whatever it is now. */
function choices(options: readonly string[], value: string, empty: string): Readonly<Record<string, string>> {
  const nothing = empty !== '' || value === '' ? { '': empty } : {}
  return { ...nothing, ...Object.fromEntries([value, ...options].filter(Boolean).map((one) => [one, one])) }
}
