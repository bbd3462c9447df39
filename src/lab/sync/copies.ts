import { invalidRequest } from '../../core/errors.ts'
import { JsonLimitError, parseJsonInSteps } from '../../core/json-steps.ts'
import { isNestedTooDeep, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'
import { didYouMean } from '../../core/nearest.ts'
import { finish, type Steps } from '../../core/slices.ts'
import { type TableName, tableNames } from '../../store/tables.ts'
import { parseMessages } from './messages.ts'
import type { Copies, RowMappers } from './verdict.ts'

/** The number of lines, or of rows, that are read in one step. */
const SLICE = 1_000

/**
 * Parses rows in NDJSON, by collection.
 * @param usual the collection of lines that are a row alone; without it, they are errors
 * Errors: invalid_request that names the line.
 */
export function* parseLines(
  text: string,
  usual?: TableName,
): Steps<Readonly<Record<string, readonly unknown[]>>> {
  const copy = new Map<string, unknown[]>()
  for (let [start, number] = [0, 1]; start < text.length; number += 1) {
    if (number % SLICE === 0) yield
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, end)
    start = end + 1
    if (line.trim() === '') continue
    const value = yield* requireJson(line, `line ${number}`)
    const isAlone = usual !== undefined && isObject(value) && !('collection' in value) && 'id' in value
    const { collection, row } = isAlone ? { collection: usual, row: value } : isObject(value) ? value : {}
    if (typeof collection !== 'string' || row === undefined) {
      throw createError(`line ${number}`, 'must be of the form {"collection":"customers","row":{"id":1}}')
    }
    getOrCreate(copy, collection, () => []).push(row)
  }
  return Object.fromEntries(copy)
}

/**
 * Parses a copy in NDJSON, in messages of Singer or Airbyte, or as one JSON object of the rows by collection. Lines that
 * are a row alone are customers.
 */
export function parseCopy(text: string): unknown {
  const messages = parseMessages(text)
  if (messages) return messages
  const [first = '', ...others] = text.split('\n').filter((line) => line.trim() !== '')
  const start = isNestedTooDeep(first) ? undefined : parseJson(first)
  if (others.length > 0 && start !== undefined) return finish(parseLines(text, 'customers'))
  const isRow = isObject(start) && ('collection' in start || 'id' in start)
  return isRow ? finish(parseLines(text, 'customers')) : finish(requireJson(text, ''))
}

function* requireJson(text: string, place: string): Steps<unknown> {
  try {
    return yield* parseJsonInSteps(text)
  } catch (error) {
    throw createError(place, error instanceof JsonLimitError ? error.message : 'must be JSON')
  }
}

export type CopiedRows = ReadonlyMap<number, readonly JsonObject[]>

const MAX_ROWS = 1_000_000

/** Maps the rows of copies to the service's form, where the options say how. */
export function mapCopies(copies: Copies | undefined, row: RowMappers | undefined): Copies | undefined {
  if (!copies || !row) return copies
  const mapped = Object.entries(copies).map(([collection, rows]) => {
    const map = typeof row === 'function' ? row : new Map(Object.entries(row)).get(collection)
    return [collection, map && Array.isArray(rows) ? rows.map((one) => map(one)) : rows]
  })
  return Object.fromEntries(mapped)
}

export function readCollections(copies: object): TableName[] {
  const unknown = Object.keys(copies).find((name) => !tableNames.some((table) => table === name))
  if (unknown !== undefined) {
    const message = `is not a collection. ${didYouMean(unknown.slice(0, 60), tableNames)}`
    throw invalidRequest([{ in: 'body', name: `copy.${unknown.slice(0, 60)}`, message }])
  }
  return tableNames.filter((name) => Reflect.get(copies, name) !== undefined)
}

export function* readCopy(collection: TableName, rows: unknown): Steps<CopiedRows> {
  if (!Array.isArray(rows)) throw createError(`copy.${collection}`, 'must be a list of rows or of ids')
  if (rows.length > MAX_ROWS) throw createError(`copy.${collection}`, `must have at most ${MAX_ROWS} rows`)
  const copied = new Map<number, JsonObject[]>()
  for (const [at, row] of rows.entries()) {
    if (at % SLICE === 0) yield
    const id = readId(isObject(row) ? row['id'] : row)
    if (id === undefined) {
      const fact = isObject(row) ? 'has no id' : 'is neither a row nor an id'
      const advice =
        "Give each row in the service's form, with the service's id. In TypeScript, `row` maps it."
      throw createError(`copy.${collection}[${at}]`, `${fact}. ${advice}`)
    }
    getOrCreate(copied, id, () => []).push(isObject(row) ? row : {})
  }
  return copied
}

function readId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  const number = typeof id === 'bigint' ? Number(id) : id
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined
}

const createError = (name: string, message: string) => invalidRequest([{ in: 'body', name, message }])
