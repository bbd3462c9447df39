import * as z from 'zod'

import { type FieldError, invalidRequest } from './errors.ts'
import { didYouMean, nearest } from './nearest.ts'

const MAX_KEYS = 20
const MAX_KEY_LENGTH = 60

/** Formats the path of a field, as in `items[0].categoryId`; unlike `z.core.toDotPath`, it never quotes a key. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key),
    '',
  )
}

/**
 * Converts zod's issues to field errors: one for each field, and for an unknown key the nearest key of the schema there.
 * @param path the path of the value in the body
 */
export function validationErrors(
  place: FieldError['in'],
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  path: readonly PropertyKey[] = [],
): FieldError[] {
  const messages = new Map<string, string>()
  const add = (at: readonly PropertyKey[], message: string): void => {
    const name = formatPath(at)
    // Rules about pairs of parameters follow those about their values, and take precedence.
    if (place !== 'body' || !messages.has(name)) messages.set(name, message)
  }
  for (const issue of issues.flatMap(narrowUnion)) {
    const at = [...path, ...issue.path]
    if (issue.code !== 'unrecognized_keys') {
      const isRepeated = place === 'query' && Array.isArray(issue.input) && issue.code.startsWith('invalid_')
      const message = isRepeated ? 'must be given once' : describeIssue(issue)
      add(place === 'body' ? at : at.slice(0, 1), message)
      continue
    }
    const knownKeys = listKeys(schema, issue.path)
    for (const key of issue.keys.slice(0, MAX_KEYS)) {
      const shown = key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key
      add([...at, shown], `is not known. ${didYouMean(shown, knownKeys)}`)
    }
    const rest = issue.keys.length - MAX_KEYS
    if (rest > 0) add(at, `has ${rest} more unknown keys`)
  }
  return Array.from(messages, ([name, message]) => ({ in: place, name, message }))
}

/** Replaces the issue of a union by those of its only alternative of which a part is wrong, rather than the whole. */
function narrowUnion(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const [partly, ...others] = issue.errors.filter((alternative) =>
    alternative.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'),
  )
  if (!partly || others.length > 0) return [issue]
  return partly.flatMap((part) => narrowUnion({ ...part, path: [...issue.path, ...part.path] }))
}

/** For what a program parses once or twice, as its options: to compile their checks would take 2 ms of a start. */
export const parsedOnce = { jitless: true } as const

/**
 * Validates an input.
 * @param path the path of the input in the body
 * @throws SandboxError `invalid_request` that names each field, an unknown one with the nearest key
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  path: readonly PropertyKey[] = [],
  place: FieldError['in'] = 'body',
): z.output<S> {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw invalidRequest(validationErrors(place, schema, parsed.error.issues, path))
}

function listKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return listKeys(schema.unwrap(), path)
  }
  if (schema instanceof z.ZodPipe) {
    return listKeys(schema.in instanceof z.ZodTransform ? schema.out : schema.in, path)
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => listKeys(option, path))
  const [key, ...rest] = path
  if (schema instanceof z.ZodArray) return key === undefined ? [] : listKeys(schema.element, rest)
  if (schema instanceof z.ZodObject) {
    return key === undefined ? Object.keys(schema.shape) : listKeys(schema.shape[String(key)], rest)
  }
  return schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum
    ? schema.keyType.options.map(String)
    : []
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const { code, message } = issue
  if (code === 'invalid_value' && message.startsWith('Invalid ')) {
    const allowed = issue.values.map(String)
    const near =
      typeof issue.input === 'string' && allowed.length > 1 ? nearest(issue.input, allowed) : undefined
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`
    return `must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}${hint}`
  }
  if (code === 'invalid_union' && 'options' in issue) {
    const { discriminator = '', options = [], input } = issue
    return describeIssue({
      ...issue,
      code: 'invalid_value',
      values: options,
      input: Reflect.get(Object(input), discriminator),
    })
  }
  if (code === 'too_small' && message.startsWith('Too small')) {
    if (issue.minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int') return 'must not be empty'
    return describeBound(issue.origin, (issue.inclusive ?? true) ? 'at least' : 'greater than', issue.minimum)
  }
  if (code === 'too_big' && message.startsWith('Too big')) {
    return describeBound(issue.origin, (issue.inclusive ?? true) ? 'at most' : 'less than', issue.maximum)
  }
  const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? []
  if (expected === undefined) return message
  if (received === 'undefined') return 'is required'
  if (expected === 'int') return 'must be a whole number'
  if (expected === 'record') return 'must be an object'
  return `must be ${/^[aeio]/.test(expected) ? 'an' : 'a'} ${expected}`
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items', set: 'items' }

function describeBound(origin: string, comparison: string, bound: number | bigint): string {
  const unit = units[origin]
  return `must ${unit === undefined ? 'be' : 'have'} ${comparison} ${bound}${unit === undefined ? '' : ` ${unit}`}`
}
