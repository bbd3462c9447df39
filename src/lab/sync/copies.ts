import { invalidRequest } from '../../core/errors.ts'
import { JsonLimitError, parseJsonInSteps } from '../../core/json-steps.ts'
import { isNestedTooDeep, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'
import { didYouMean } from '../../core/nearest.ts'
import { finish, type Steps } from '../../core/slices.ts'
import { type TableName, tableNames } from '../../store/tables.ts'
import { Messages } from './messages.ts'
import type { Copies, RowMappers } from './verdict.ts'

/** The number of lines, or of rows, that are read in one step. */
const SLICE = 1_000

/** Parses rows in NDJSON, by collection. Errors: invalid_request that names the line. */
export function* parseLines(text: string): Steps<Readonly<Record<string, readonly unknown[]>>> {
  const copy = new Map<string, unknown[]>()
  for (let [start, number] = [0, 1]; start < text.length; number += 1) {
    if (number % SLICE === 0) yield
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, end)
    start = end + 1
    if (line.trim() === '') continue
    const read = readRow(yield* requireJson(line, `line ${number}`)) ?? rejectLine(number)
    getOrCreate(copy, read.collection, () => []).push(read.row)
  }
  return Object.fromEntries(copy)
}

interface CopiedRow {
  readonly collection: string
  readonly row: unknown
}

function readRow(value: unknown): CopiedRow | undefined {
  const { collection, row } = isObject(value) ? value : {}
  return typeof collection === 'string' && row !== undefined ? { collection, row } : undefined
}

function rejectLine(number: number): never {
  throw createError(`line ${number}`, 'must be of the form {"collection":"customers","row":{"id":1}}')
}

/** The longest text that is neither a row nor a message: a document, or lines before the first message. Units: characters. */
const MAX_TEXT = 1 << 28

/**
 * Reads a copy as it comes: rows in NDJSON, of which those alone are customers; messages of Singer or Airbyte, among any other
 * lines; or one JSON object of the rows by collection.
 */
export class CopyReader {
  readonly #messages = new Messages()
  readonly #rows = new Map<string, unknown[]>()
  /** The number and the text of the first line that is no row. */
  #odd: readonly [number: number, line: string] | undefined
  /** The lines of a document, if the first line is not JSON by itself. */
  #document: string[] | undefined
  /** The parts of the line that has not ended yet. */
  #parts: string[] = []
  #number = 0
  #filled = 0
  /** The text that is kept as such. Units: characters. */
  #kept = 0

  /** Reads the next part of the text. Errors: invalid_request. */
  add(text: string): void {
    this.#kept += text.length
    if (this.#kept > MAX_TEXT) throw createError('', `must not have ${MAX_TEXT} characters without a row`)
    const [end = '', ...lines] = text.split('\n')
    this.#parts.push(end)
    const last = lines.pop()
    if (last === undefined) return
    for (const line of [this.#parts.join(''), ...lines]) this.#readLine(line)
    this.#parts = [last]
  }

  /** Returns the copy; undefined if there was no text. Errors: invalid_request. */
  finish(): unknown {
    this.#readLine(this.#parts.join(''))
    if (this.#filled === 0) return undefined
    if (!this.#messages.isEmpty) return this.#messages.toCopy()
    if (this.#document) return finish(requireJson(this.#document.join('\n'), ''))
    if (!this.#odd) return Object.fromEntries(this.#rows)
    const [number, line] = this.#odd
    const value = finish(requireJson(line, this.#filled === 1 ? '' : `line ${number}`))
    return this.#filled === 1 ? value : rejectLine(number)
  }

  #readLine(line: string): void {
    this.#number += 1
    if (line.trim() === '') return
    this.#filled += 1
    if (this.#messages.read(line, this.#number)) {
      this.#rows.clear()
      this.#document = undefined
    }
    const value = this.#document || isNestedTooDeep(line) ? undefined : parseJson(line)
    // Other lines among messages are passed over, such as logs, or a line that a kill has cut off.
    if (this.#messages.isEmpty && this.#filled === 1 && value === undefined) this.#document = []
    if (this.#document) {
      this.#document.push(line)
      return
    }
    this.#kept -= line.length
    if (!this.#messages.isEmpty) return
    const isAlone = isObject(value) && !('collection' in value) && 'id' in value
    const read = isAlone ? { collection: 'customers', row: value } : readRow(value)
    if (read) getOrCreate(this.#rows, read.collection, () => []).push(read.row)
    else this.#odd ??= [this.#number, line]
  }
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
