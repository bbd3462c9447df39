import type { ComponentChildren, FormHTMLAttributes } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { FieldError } from '../../core/errors.ts'
import { RequestError, adminToken, unlock } from '../calls.ts'
import { param, setQuery } from '../place.ts'
import { Problem } from './ui.tsx'

interface FormProps {
  readonly label: string
  readonly submit: () => unknown
  /** The error of the last submission; the first invalid field gets the focus. */
  readonly error: unknown
  readonly children: ComponentChildren
}

export function Form({ label, submit, error, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useFocusInvalid(form, error)
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    void submit()
  }
  return (
    <form ref={form} class="form" aria-label={label} noValidate onSubmit={onSubmit}>
      {children}
    </form>
  )
}

export function useFocusInvalid(form: { readonly current: HTMLElement | null }, error: unknown): void {
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [error])
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
  readonly message?: string | undefined
  readonly hint?: string
}

interface LabeledProps extends Pick<FieldProps, 'label' | 'message'> {
  readonly id: string
  readonly children: ComponentChildren
}

function Field({ id, label, message, children }: LabeledProps) {
  return (
    <div class="input">
      <label class="field" for={id}>
        {label}{' '}
      </label>
      {children}
      <div id={`${id}-about`} class="bad">
        {message}
      </div>
    </div>
  )
}

const describeControl = (id: string, message: string | undefined) => ({
  id,
  'aria-describedby': `${id}-about`,
  ...(message !== undefined && { 'aria-invalid': true }),
})

interface Entered {
  readonly currentTarget: { readonly value: string }
}

export interface InputProps extends Omit<FieldProps, 'message'> {
  readonly name: string
  readonly placeholder?: string
  /** The error of the last call; its message for this field is shown. */
  readonly error?: unknown
  readonly rows?: number | undefined
  readonly proposals?: ReadonlyMap<string, string>
  readonly done?: (value: string) => void
}

export function Input(props: InputProps) {
  const { label, name, value, set, placeholder, error, hint, rows, proposals, done } = props
  const id = useId()
  const message = findFieldMessage(error, name)
  const common = {
    ...describeControl(id, message),
    name,
    value,
    placeholder,
    title: hint,
    onInput: ({ currentTarget }: Entered) => set(currentTarget.value),
    onChange: ({ currentTarget }: Entered) => done?.(currentTarget.value),
    spellcheck: false,
    autocomplete: 'off',
  } as const
  return (
    <Field id={id} label={label} message={message}>
      {rows ? <textarea rows={rows} {...common} /> : <input list={proposals && `${id}-list`} {...common} />}
      {proposals && (
        <datalist id={`${id}-list`}>
          {Array.from(proposals, ([proposal, about]) => (
            <option key={proposal} value={proposal}>
              {about}
            </option>
          ))}
        </datalist>
      )}
    </Field>
  )
}

interface SelectProps extends FieldProps {
  readonly options: Readonly<Record<string, string>>
}

/** Renders a select with a label; a value that is not among the options is added to them. */
export function Select({ label, value, set, options, message, hint }: SelectProps) {
  const id = useId()
  const shown = Object.hasOwn(options, value) ? options : { [value]: value, ...options }
  return (
    <Field id={id} label={label} message={message}>
      <select
        {...describeControl(id, message)}
        value={value}
        title={hint}
        disabled={Object.keys(options).length === 0}
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

export const toOptions = (values: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(values.map((value) => [value, value]))

interface SearchProps {
  readonly label: string
  readonly placeholder?: string
  readonly clears?: readonly string[]
}

export function Search({ label, placeholder = label, clears }: SearchProps) {
  const cleared = Object.fromEntries((clears ?? []).map((name) => [name, undefined]))
  return (
    <input
      type="search"
      data-search
      maxLength={1_000}
      aria-label={label}
      placeholder={placeholder}
      value={param('text')}
      onInput={({ currentTarget }) => setQuery({ ...cleared, text: currentTarget.value })}
    />
  )
}

export function JsonFile({ label, choose }: { label: string; choose: (content: unknown) => unknown }) {
  const [error, setError] = useState<unknown>()
  const load = async (file: File | undefined): Promise<void> => {
    setError(undefined)
    let content: unknown
    try {
      if (file) content = JSON.parse(await file.text())
    } catch {
      setError(new Error(`${file?.name} is not valid JSON.`))
    }
    await choose(content)
  }
  return (
    <>
      <label class="field">
        {label}{' '}
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void load(currentTarget.files?.[0])}
        />
      </label>
      <Problem error={error} />
    </>
  )
}

const focus = (field: HTMLElement | null): void => field?.focus()

export function UnlockForm({ label, children, ...rest }: { label: string } & FormHTMLAttributes) {
  const [token, setToken] = useState('')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    unlock(token)
  }
  return (
    <form {...rest} onSubmit={submit}>
      {children}
      <Problem error={adminToken.value === '' ? undefined : new Error('Invalid admin token.')} />
      <label class="field">
        {label}{' '}
        <input
          type="password"
          autocomplete="off"
          required
          ref={focus}
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>{' '}
      <button type="submit" class="primary">
        Unlock
      </button>
    </form>
  )
}

export function OtherErrors({ error, names }: { error: unknown; names: readonly string[] }) {
  return <Problem error={omitFieldErrors(error, names)} />
}

/** Finds the message for a field and its nested fields; undefined if it has none. */
export function findFieldMessage(error: unknown, name: string): string | undefined {
  const messages = listFieldErrors(error).flatMap((one) => {
    if (!isOf(name)(one)) return []
    return `${one.name.slice(name.length).replace(/^\./, '')} ${one.message}`.trim()
  })
  return messages.length === 0 ? undefined : messages.join('; ')
}

/** Removes the messages that are shown at fields from an error; undefined if none are left. */
function omitFieldErrors(error: unknown, names: readonly string[]): unknown {
  const errors = listFieldErrors(error)
  const rest = errors.filter((one) => !names.some((name) => isOf(name)(one)))
  if (errors.length === 0 || rest.length === errors.length) return error
  return rest.length === 0 ? undefined : new RequestError(400, 'Some values are invalid:', rest)
}

function listFieldErrors(error: unknown): readonly FieldError[] {
  return error instanceof RequestError ? error.errors : []
}

const isOf =
  (name: string) =>
  ({ name: inner }: FieldError): boolean =>
    inner === name || inner.startsWith(`${name}.`) || inner.startsWith(`${name}[`)
