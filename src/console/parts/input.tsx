import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

import { messageAt } from './field-errors.ts'

export interface InputProps {
  readonly label: string
  /** As refusals call it. */
  readonly name: string
  readonly value: string
  readonly set: (value: string) => void
  readonly placeholder?: string
  /** Why the latest call failed: what it says of this field stands here. */
  readonly error?: unknown
  readonly hint?: ComponentChildren
  /** As many lines as it shows; one without. */
  readonly rows?: number
  /** What may be chosen by a click. */
  readonly proposals?: readonly string[]
}

/** A text to enter, with what a refusal says of it. */
export function Input({ label, name, value, set, ...rest }: InputProps) {
  const { error, hint, rows, placeholder, proposals = [] } = rest
  const id = useId()
  const message = messageAt(error, name)
  const common = {
    name,
    value,
    placeholder,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
    spellcheck: false,
    'aria-invalid': message === undefined ? undefined : true,
    'aria-describedby': message === undefined && hint === undefined ? undefined : `${id}-about`,
  }
  return (
    <div class="input">
      <label class="field" for={id}>
        {label}{' '}
      </label>
      {rows === undefined ? (
        <input id={id} list={proposals.length > 0 ? `${id}-list` : undefined} {...common} />
      ) : (
        <textarea id={id} rows={rows} {...common} />
      )}
      {proposals.length > 0 && (
        <datalist id={`${id}-list`}>
          {proposals.map((proposal) => (
            <option key={proposal}>{proposal}</option>
          ))}
        </datalist>
      )}
      <div id={`${id}-about`} class="input-about">
        {message !== undefined && <p class="input-error">{message}</p>}
        {hint !== undefined && <p>{hint}</p>}
      </div>
    </div>
  )
}
