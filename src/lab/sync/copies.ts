import { invalidField } from '../../core/errors.ts'
import { JsonLimitError, parseJsonInSteps } from '../../core/json-steps.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { addTo, getOrCreate } from '../../core/maps.ts'
import type { Steps } from '../../core/slices.ts'
import { type TableName, tableNames } from '../../store/tables.ts'
import type { Copies, RowMappers } from './verdict.ts'

/** The longest text that is neither a row nor a message: a document, or lines before the first message. Units: characters. */
const MAX_TEXT = 1 << 28

/** Lines that may be messages, also within a document. */
const MESSAGE = /"(?:RECORD|SCHEMA|ACTIVATE_VERSION)"/

/**
 * Reads a copy as it comes: rows in NDJSON, of which those alone are customers; messages of Singer or Airbyte, among any other
 * lines; or one JSON object of the rows by collection.
 */
export class CopyReader {
  readonly #messages = new Messages()
  readonly #rows = new Map<string, unknown[]>()
  /** The first line that is no row. */
  #odd: { readonly place: string; readonly json: Json } | undefined
  /** The lines of a document, if the first line is not JSON by itself. */
  #document: string[] | undefined
  /** The parts of the line that has not ended yet. */
  #parts: string[] = []
  #number = 0
  #filled = 0
  /** The text that is kept as such. Units: characters. */
  #kept = 0

  #keep(length: number): void {
    this.#kept += length
    if (this.#kept > MAX_TEXT) throw invalidField('', `must not have ${MAX_TEXT} characters without a row`)
  }

  /** Reads the next part of the text; a part of a long line in a step. Errors: invalid_request. */
  *add(text: string): Steps<void> {
    this.#keep(text.length)
    const [end = '', ...lines] = text.split('\n')
    this.#parts.push(end)
    const last = lines.pop()
    if (last === undefined) return
    for (const line of [this.#parts.join(''), ...lines]) yield* this.#readLine(line)
    this.#parts = [last]
  }

  /** Returns the copy; undefined if there was no text. Errors: invalid_request. */
  *finish(): Steps<unknown> {
    yield* this.#readLine(this.#parts.join(''))
    if (this.#filled === 0) return undefined
    if (!this.#messages.isEmpty) return this.#messages.toCopy()
    if (this.#document) return getValue(yield* readJson(this.#document.join('\n')), '')
    if (!this.#odd) return Object.fromEntries(this.#rows)
    const { place, json } = this.#odd
    const value = getValue(json, place)
    if (this.#filled === 1) return value
    throw invalidField(place, 'must be of the form {"collection":"customers","row":{"id":1}}')
  }

  *#readLine(line: string): Steps<void> {
    this.#number += 1
    if (line.trim() === '') return
    this.#filled += 1
    const isAmongOthers = this.#document !== undefined || !this.#messages.isEmpty
    const json: Json = isAmongOthers && !MESSAGE.test(line) ? {} : yield* readJson(line)
    const { value } = json
    if (isObject(value) && this.#messages.read(value, this.#number)) {
      this.#rows.clear()
      this.#document = undefined
    }
    // Other lines among messages are passed over, such as logs, or a line that a kill has cut off.
    if (this.#messages.isEmpty && this.#filled === 1 && value === undefined) this.#document = []
    if (this.#document) {
      this.#document.push(line)
      return
    }
    this.#keep(-line.length)
    if (!this.#messages.isEmpty) return
    const given = isObject(value) ? value : {}
    const isAlone = !('collection' in given) && 'id' in given
    const { collection, row } = isAlone ? { collection: 'customers', row: given } : given
    if (typeof collection === 'string' && row !== undefined) {
      addTo(this.#rows, collection, row)
    } else this.#odd ??= { place: `line ${this.#number}`, json }
  }
}

/** The text that is read in one step. Units: characters. */
const PART = 65_536

/** Reads the text of a whole copy; undefined if it has no line. Errors: invalid_request. */
export function* readCopyText(text: string): Steps<unknown> {
  const reader = new CopyReader()
  for (let at = 0; at < text.length; at += PART) {
    yield* reader.add(text.slice(at, at + PART))
    yield
  }
  return yield* reader.finish()
}

/** Fields that a connector adds to the rows of the service. */
const ADDED = /^(?:_sdc_|_airbyte_|_ab_)/

interface SentRow {
  readonly row: JsonObject
  /** The version of the stream, for Singer. */
  readonly version: unknown
}

/**
 * The rows that messages of a Singer tap or an Airbyte source leave: the last one of each id, by stream. A row that a connector
 * marks as deleted is gone, and so are the rows of other versions once a version is activated.
 */
class Messages {
  readonly #streams = new Map<string, Map<unknown, SentRow>>()

  get isEmpty(): boolean {
    return this.#streams.size === 0
  }

  /** Reads the value of a line. Returns false if it is none of these messages. Errors: invalid_request that names the line of a RECORD without a stream or a row */
  read(value: JsonObject, number: number): boolean {
    const { type, stream, record, version } = value
    if (type === 'RECORD') {
      this.#store(value, record, number)
      return true
    }
    if ((type !== 'SCHEMA' && type !== 'ACTIVATE_VERSION') || typeof stream !== 'string') return false
    // A schema announces a stream that may have no rows.
    const rows = this.#open(stream)
    for (const [key, sent] of type === 'SCHEMA' ? [] : rows) {
      // Rows without a version are kept.
      if (sent.version !== undefined && sent.version !== version) rows.delete(key)
    }
    return true
  }

  #store({ stream, version }: JsonObject, record: unknown, number: number): void {
    const [name, row] =
      isObject(record) && stream === undefined ? [record['stream'], record['data']] : [stream, record]
    if (typeof name !== 'string' || !isObject(row)) {
      const message =
        'must be a RECORD of Singer with stream and record, or of Airbyte with record.stream and record.data'
      throw invalidField(`line ${number}`, message)
    }
    const rows = this.#open(name)
    const { id } = row
    // Each row without an id is kept, and refused later.
    const key = typeof id === 'string' || typeof id === 'number' ? `${id}` : {}
    rows.delete(key)
    const isDeleted = (row['_sdc_deleted_at'] ?? row['_ab_cdc_deleted_at'] ?? '') !== ''
    const fields = Object.entries(row).filter(([field]) => !ADDED.test(field))
    if (!isDeleted) rows.set(key, { row: Object.fromEntries(fields), version })
  }

  /** Opens the rows of a stream, whose name may be written as `product_metrics`. */
  #open(name: string): Map<unknown, SentRow> {
    const collection = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return getOrCreate(this.#streams, collection, () => new Map())
  }

  toCopy(): Readonly<Record<string, readonly JsonObject[]>> {
    const copies = Array.from(this.#streams, ([name, rows]) => [
      name,
      Array.from(rows.values(), ({ row }) => row),
    ])
    return Object.fromEntries(copies)
  }
}

/** The value of a text, or why it has none. */
interface Json {
  readonly value?: unknown
  readonly fault?: string
}

function* readJson(text: string): Steps<Json> {
  try {
    return { value: yield* parseJsonInSteps(text) }
  } catch (error) {
    return { fault: error instanceof JsonLimitError ? error.message : 'must be JSON' }
  }
}

function getValue({ value, fault }: Json, place: string): unknown {
  if (fault !== undefined) throw invalidField(place, fault)
  return value
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

/** Reads copies by the ids of their rows. Order: of the tables. Errors: invalid_request. */
export function* readCopies(copies: Copies): Steps<ReadonlyMap<TableName, CopiedRows>> {
  const read = new Map<TableName, Map<number, JsonObject[]>>()
  for (const name of tableNames) {
    const rows = copies[name] ?? []
    if (rows.length > MAX_ROWS) throw invalidField(`copy.${name}`, `must have at most ${MAX_ROWS} rows`)
    const copied = new Map<number, JsonObject[]>()
    if (copies[name]) read.set(name, copied)
    for (const [at, row] of rows.entries()) {
      yield
      const id = readId(isObject(row) ? row['id'] : row)
      if (id === undefined) {
        const fact = isObject(row) ? 'has no id' : 'is neither a row nor an id'
        const advice =
          "Give each row in the service's form, with the service's id. In TypeScript, `row` maps it."
        throw invalidField(`copy.${name}[${at}]`, `${fact}. ${advice}`)
      }
      addTo(copied, id, isObject(row) ? row : {})
    }
  }
  return read
}

function readId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined
}
