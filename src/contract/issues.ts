import type * as z from 'zod'

import type { FieldError } from './errors.ts'
import { didYouMean } from './nearest.ts'

/** How many unknown keys are told one by one, and how much of each. */
const MAX_KEYS = 20
const MAX_KEY_LENGTH = 60

/** A body's or parameter's path as text: `items[0].categoryId`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key),
    '',
  )
}

/** What zod found, as field errors: one for each place. An issue inside an array parameter is the parameter's. */
export function fieldErrors(place: FieldError['in'], issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const messages = new Map<string, string>()
  for (const issue of issues) {
    const path = place === 'body' ? issue.path : issue.path.slice(0, 1)
    messages.set(pathText(path), messageOf(issue))
  }
  return Array.from(messages, ([name, message]) => ({ in: place, name, message }))
}

/** The keys that are known at a path. */
export type KnownKeys = (path: readonly PropertyKey[]) => readonly string[]

/**
 * What zod found in a body whose keys are known: one for each place, an unknown key with the nearest known one.
 * @param keys the known keys, the same at every path or by path
 */
export function bodyErrors(
  issues: readonly z.core.$ZodIssue[],
  keys: readonly string[] | KnownKeys,
): FieldError[] {
  const found = issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return fieldErrors('body', [issue])
    const known = typeof keys === 'function' ? keys(issue.path) : keys
    const rest = issue.keys.length - MAX_KEYS
    const told = issue.keys.slice(0, MAX_KEYS).map((key) => unknownKey(issue.path, key, known))
    return rest > 0 ? [...told, wrong(issue.path, `has ${rest} more keys that are not known`)] : told
  })
  const places = new Set<string>()
  return found.filter(({ name }) => !places.has(name) && places.add(name))
}

function unknownKey(path: readonly PropertyKey[], key: string, known: readonly string[]): FieldError {
  const shown = key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key
  return wrong([...path, shown], `is not known. ${didYouMean(shown, known)}`)
}

function wrong(path: readonly PropertyKey[], message: string): FieldError {
  return { in: 'body', name: pathText(path), message }
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    if (issue.minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int') return 'must not be empty'
    return `must ${measured(issue.origin, (issue.inclusive ?? true) ? 'at least' : 'more than', issue.minimum)}`
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return `must ${measured(issue.origin, (issue.inclusive ?? true) ? 'at most' : 'less than', issue.maximum)}`
  }
  const expected = /^Invalid input: expected (\w+), received (\w+)$/.exec(issue.message)
  if (!expected) return issue.message
  return expected[2] === 'undefined'
    ? 'is required'
    : `must be ${/^[aeio]/.test(expected[1] ?? '') ? 'an' : 'a'} ${expected[1]}`
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items', set: 'items' }

/** A bound in words: `be at least 3`, `have at most 100 characters`. */
function measured(origin: string, comparison: string, bound: number | bigint): string {
  const unit = units[origin]
  return unit === undefined ? `be ${comparison} ${bound}` : `have ${comparison} ${bound} ${unit}`
}

/** A text with a period at its end, unless it ends as a sentence does. */
export function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}
