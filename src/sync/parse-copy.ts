import { invalidRequest } from '../core/errors.ts'
import { isNestedTooDeep, isObject, nestedTooDeep } from '../core/json.ts'
import type { TableName } from '../store/tables.ts'

/** A copy as text has it: rows by collection, not validated. */
type ParsedCopy = Readonly<Record<string, readonly unknown[]>>

/**
 * Parses a copy in NDJSON, of which each line is a row with its collection.
 * @param usual the collection of lines that are a row alone; without it, they are errors
 * Errors: invalid_request that names the line.
 * @example parseLines('{"collection":"customers","row":{"id":1}}\n')
 */
export function parseLines(text: string, usual?: TableName): ParsedCopy {
  const copy = new Map<string, unknown[]>()
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = parseJson(line, `line ${at + 1}`)
    const isAlone = usual !== undefined && isObject(value) && !('collection' in value) && 'id' in value
    const { collection, row } = isAlone ? { collection: usual, row: value } : isObject(value) ? value : {}
    if (typeof collection !== 'string' || row === undefined) {
      throw createError(`line ${at + 1}`, 'must be of the form {"collection":"customers","row":{"id":1}}')
    }
    const rows = copy.get(collection) ?? []
    copy.set(collection, rows)
    rows.push(row)
  }
  return Object.fromEntries(copy)
}

/**
 * Parses a copy in NDJSON, or as one JSON object of the rows by collection. Lines that are a row alone are customers.
 * Errors: invalid_request.
 */
export function parseCopy(text: string): unknown {
  const [first = '', ...others] = text.split('\n').filter((line) => line.trim() !== '')
  const start = isComplete(first) ? parseJson(first, 'line 1') : undefined
  if (others.length > 0 && start !== undefined) return parseLines(text, 'customers')
  const isRow = isObject(start) && ('collection' in start || 'id' in start)
  return isRow ? parseLines(text, 'customers') : parseJson(text, '')
}

/** Reports whether a line is JSON by itself. */
function isComplete(line: string): boolean {
  try {
    return !isNestedTooDeep(line) && JSON.parse(line) !== undefined
  } catch {
    return false
  }
}

/** @param name the place in the copy */
function parseJson(text: string, name: string): unknown {
  if (isNestedTooDeep(text)) throw createError(name, nestedTooDeep)
  try {
    return JSON.parse(text)
  } catch {
    throw createError(name, 'must be JSON')
  }
}

const createError = (name: string, message: string) => invalidRequest([{ in: 'body', name, message }])
