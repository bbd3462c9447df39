import { isNestedTooDeep, isObject, nestedTooDeep } from '../contract/json.ts'
import type { Copies } from '../sync/sync-control.ts'
import { Collection } from '../sync/verdict.ts'
import { CommandError } from './failure.ts'

/**
 * Parses the copy that a command prints: one JSON object with the rows or ids of each collection, or a line for each row.
 * A line is `{ "collection", "row" }`, or a row of customers.
 * @throws CommandError
 */
export function parseCopy(text: string): Copies {
  if (isNestedTooDeep(text)) throw unreadable(`it ${nestedTooDeep}`)
  const whole = parse(text)
  if (isObject(whole) && Object.values(whole).every(Array.isArray)) return whole
  const copy: { [C in Collection]?: unknown[] } = {}
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = parse(line)
    if (value === undefined) throw unreadable(`line ${index + 1} is not JSON`)
    const isMarked = isObject(value) && 'collection' in value && 'row' in value
    const { data: collection } = Collection.safeParse(isMarked ? value['collection'] : 'customers')
    if (collection === undefined) throw unreadable(`line ${index + 1} names no collection`)
    const rows = (copy[collection] ??= [])
    rows.push(isMarked ? value['row'] : value)
  }
  return Object.keys(copy).length === 0 ? { customers: [] } : copy
}

const unreadable = (fact: string): CommandError =>
  new CommandError(
    `Cannot read the copy: ${fact}. Print a row in each line, or one object of rows by collection.`,
  )

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
