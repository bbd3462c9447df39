import type { FieldError } from '../../contract/errors.ts'
import { Refusal } from '../calls.ts'

/** What a refusal says of a field and of what is inside of it; undefined where nothing. */
export function messageAt(error: unknown, name: string): string | undefined {
  const messages = errorsOf(error).flatMap((one) => {
    if (one.name === name) return one.message
    return isInside(one.name, name) ? `${one.name.slice(name.length).replace(/^\./, '')} ${one.message}` : []
  })
  return messages.length === 0 ? undefined : messages.join('; ')
}

/** A failure without what is said at fields that are shown; undefined where that is all. */
export function elsewhere(error: unknown, names: readonly string[]): unknown {
  const errors = errorsOf(error)
  const rest = errors.filter((one) => !names.some((name) => one.name === name || isInside(one.name, name)))
  if (errors.length === 0 || rest.length === errors.length) return error
  return rest.length === 0 ? undefined : new Refusal(400, 'This does not fit:', rest)
}

function errorsOf(error: unknown): readonly FieldError[] {
  return error instanceof Refusal ? error.errors : []
}

const isInside = (inner: string, name: string): boolean =>
  inner.startsWith(`${name}.`) || inner.startsWith(`${name}[`)
