import type { ComponentChildren } from 'preact'

import type { FieldError } from '../../contract/errors.ts'
import { RequestError, revision } from '../calls.ts'
import type { ReadState } from './use-calls.ts'

/** Renders an error; nothing without one. */
export function Problem({ error }: { readonly error: unknown }) {
  if (error === undefined) return null
  const errors = error instanceof RequestError ? error.errors : []
  return (
    <div class="problem" role="alert">
      <p>{error instanceof Error ? error.message : 'Something went wrong on this page.'}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ name, message }) => (
            <li key={name}>
              {name && <code>{name}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Renders the errors of a submission that belong to none of the shown fields. */
export function OtherErrors({
  error,
  names,
}: {
  readonly error: unknown
  readonly names: readonly string[]
}) {
  return <Problem error={omitFieldErrors(error, names)} />
}

/** Renders that something is being loaded; for a table, by its lines. */
export function Loading({ isTable = false }: { readonly isTable?: boolean }) {
  return <p class={isTable ? 'empty skeleton' : 'empty'}>Loading…</p>
}

interface LoadedProps<T> {
  readonly state: ReadState<T>
  /** Shows the lines of a table until the value is loaded. */
  readonly isTable?: boolean
  readonly children: (value: T) => ComponentChildren
}

/** Renders a value, the error of loading it with a way to try again, or that it is being loaded. */
export function Loaded<T>({ state: { value, error }, isTable = false, children }: LoadedProps<T>) {
  if (value === undefined && error === undefined) return <Loading isTable={isTable} />
  const again = (
    <button type="button" onClick={() => (revision.value += 1)}>
      Try again
    </button>
  )
  return (
    <>
      <Problem error={error} />
      {value === undefined ? again : children(value)}
    </>
  )
}

/** Finds the message for a field and its nested fields; undefined if it has none. */
export function findFieldMessage(error: unknown, name: string): string | undefined {
  const messages = listFieldErrors(error).flatMap((one) => {
    if (one.name === name) return one.message
    return isInside(one.name, name) ? `${one.name.slice(name.length).replace(/^\./, '')} ${one.message}` : []
  })
  return messages.length === 0 ? undefined : messages.join('; ')
}

/** Removes the messages that are shown at fields from an error; undefined if none are left. */
function omitFieldErrors(error: unknown, names: readonly string[]): unknown {
  const errors = listFieldErrors(error)
  const rest = errors.filter((one) => !names.some((name) => one.name === name || isInside(one.name, name)))
  if (errors.length === 0 || rest.length === errors.length) return error
  return rest.length === 0 ? undefined : new RequestError(400, 'Some values are invalid:', rest)
}

function listFieldErrors(error: unknown): readonly FieldError[] {
  return error instanceof RequestError ? error.errors : []
}

const isInside = (inner: string, name: string): boolean =>
  inner.startsWith(`${name}.`) || inner.startsWith(`${name}[`)
