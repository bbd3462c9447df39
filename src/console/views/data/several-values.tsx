import { useState } from 'preact/hooks'

import type { Counts } from '../../../control/data/data.ts'
import { useAnswer } from '../../parts/use-answer.ts'

/** How many values are offered; the others can be written. */
const OFFERED = 60

export interface SeveralValuesProps {
  /** Where it is named: at the id with `-name`. */
  readonly id: string
  readonly name: string
  readonly values: readonly string[]
  /** Where the values that there are are counted; undefined where they are not. */
  readonly path: string | undefined
  readonly onChange: (values: readonly string[]) => void
}

/** Several values of a parameter: those that there are to tick, others to write. */
export function SeveralValues({ id, name, values, path, onChange }: SeveralValuesProps) {
  const [isOpen, setOpen] = useState(false)
  const [other, setOther] = useState('')
  const { value: counts } = useAnswer<Counts>(isOpen && path !== undefined ? { path } : undefined)
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
      {offered.length > OFFERED && <p class="hint">and {offered.length - OFFERED} more, to be written</p>}
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
