import { useState } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { useRead } from '../../components/use-calls.ts'

/** The number of values to offer; others can be typed. */
const OFFERED = 60

type CountCall = Call<{ readonly items: readonly { readonly value: unknown; readonly count: number }[] }>

export interface SeveralValuesProps {
  /** The label has this id with the suffix `-name`. */
  readonly id: string
  readonly name: string
  readonly values: readonly string[]
  /** The call that counts the existing values; undefined if they cannot be counted. */
  readonly call: CountCall | undefined
  readonly onChange: (values: readonly string[]) => void
}

/** Renders several values of a parameter: checkboxes for existing ones, a text field for others. */
export function SeveralValues({ id, name, values, call, onChange }: SeveralValuesProps) {
  const [isOpen, setOpen] = useState(false)
  const [other, setOther] = useState('')
  const { value: counts } = useRead(isOpen ? call : undefined)
  const offered = (counts?.items ?? []).flatMap(({ value, count }) =>
    typeof value === 'string' ? [{ value, count }] : [],
  )
  const shown = offered.slice(0, OFFERED)
  const others = values.filter((value) => shown.every((one) => one.value !== value))
  const chosen = values.length === 0 ? 'any' : values.join(', ')
  const toggle = (value: string): void =>
    onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value])
  const add = (): void => {
    if (other !== '' && !values.includes(other)) onChange([...values, other])
    setOther('')
  }
  return (
    <details class="data-several" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary aria-label={`${name}: ${chosen}`}>{chosen}</summary>
      <fieldset class="data-several-values" aria-labelledby={`${id}-name`}>
        {[...shown, ...others.map((value) => ({ value, count: undefined }))].map(({ value, count }) => (
          <label key={value}>
            <input type="checkbox" checked={values.includes(value)} onChange={() => toggle(value)} />
            <span>{value}</span>
            {count !== undefined && <span class="hint">{count}</span>}
          </label>
        ))}
      </fieldset>
      {offered.length > OFFERED && <p class="hint">and {offered.length - OFFERED} more. Type one below.</p>}
      <div class="data-other">
        <input
          value={other}
          aria-label={`Another ${name}`}
          placeholder="another value"
          spellcheck={false}
          onInput={({ currentTarget }) => setOther(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
        <button type="button" class="small" onClick={add} aria-label={`Add this ${name}`}>
          Add
        </button>
      </div>
    </details>
  )
}
