import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

import { findFieldMessage } from './problem.tsx'

export interface FormProps {
  readonly label: string
  readonly submit: () => unknown
  /** The error of the last submission; the first invalid field gets the focus. */
  readonly error: unknown
  readonly children: ComponentChildren
}

/** Renders a form whose fields the control plane validates. */
export function Form({ label, submit, error, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    void submit()
  }
  return (
    <form ref={form} aria-label={label} noValidate onSubmit={onSubmit}>
      {children}
    </form>
  )
}

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly message: string | undefined
  readonly hint?: ComponentChildren
  readonly children: ComponentChildren
}

/** Renders a control with its label, its validation error and a hint. */
function Field({ id, label, message, hint, children }: FieldProps) {
  return (
    <div class="input">
      <label class="field" for={id}>
        {label}{' '}
      </label>
      {children}
      <div id={`${id}-about`} class="input-about">
        {message !== undefined && <p class="input-error">{message}</p>}
        {hint !== undefined && <p>{hint}</p>}
      </div>
    </div>
  )
}

/** Returns the attributes of a control that concern its error. */
const describeControl = (id: string, message: string | undefined) => ({
  id,
  'aria-describedby': `${id}-about`,
  ...(message !== undefined && { 'aria-invalid': true }),
})

export interface InputProps {
  readonly label: string
  /** The field's name in validation errors. */
  readonly name: string
  readonly value: string
  readonly set: (value: string) => void
  readonly placeholder?: string
  /** The error of the last call; its message for this field is shown. */
  readonly error?: unknown
  readonly hint?: ComponentChildren
  /** The number of lines; 1 by default. */
  readonly rows?: number
  /** Values to suggest. */
  readonly proposals?: readonly string[]
}

/** Renders a text field with its validation error. */
export function Input({ label, name, value, set, placeholder, error, hint, rows, proposals }: InputProps) {
  const id = useId()
  const message = findFieldMessage(error, name)
  const common = {
    ...describeControl(id, message),
    name,
    value,
    placeholder,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
    spellcheck: false,
  }
  return (
    <Field id={id} label={label} message={message} hint={hint}>
      {rows === undefined ? (
        <input list={proposals?.length ? `${id}-list` : undefined} {...common} />
      ) : (
        <textarea rows={rows} {...common} />
      )}
      {proposals && (
        <datalist id={`${id}-list`}>
          {proposals.map((proposal) => (
            <option key={proposal}>{proposal}</option>
          ))}
        </datalist>
      )}
    </Field>
  )
}

export interface SelectProps {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
  /** The label of each value. Order: as shown. */
  readonly options: Readonly<Record<string, string>>
  /** The error of the value. */
  readonly message?: string | undefined
}

/** Renders a select with a label; a value that is not among the options is added to them. */
export function Select({ label, value, set, options, message }: SelectProps) {
  const id = useId()
  const shown = Object.hasOwn(options, value) ? options : { [value]: value, ...options }
  return (
    <Field id={id} label={label} message={message}>
      <select
        {...describeControl(id, message)}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      >
        {Object.entries(shown).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}
