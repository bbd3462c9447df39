import { invalidRequest } from '../../core/errors.ts'
import { isNestedTooDeep, isObject, type JsonObject, nestedTooDeep, parseJson } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'
import { didYouMean } from '../../core/nearest.ts'
import { finish, type Steps } from '../../core/slices.ts'
import { type TableName, tableNames } from '../../store/tables.ts'
import { parseMessages } from './messages.ts'
import type { Mapped, RowMapper, VerdictOptions, Verdict } from './verdict.ts'

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
    const value = requireJson(line, `line ${number}`)
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
  return isRow ? finish(parseLines(text, 'customers')) : requireJson(text, '')
}

function requireJson(text: string, place: string): unknown {
  if (isNestedTooDeep(text)) throw createError(place, nestedTooDeep)
  const value = parseJson(text)
  if (value === undefined) throw createError(place, 'must be JSON')
  return value
}

export type CopiedRows = ReadonlyMap<number, readonly JsonObject[]>

const MAX_ROWS = 1_000_000

export function findMapper(row: VerdictOptions['row'], collection: TableName): RowMapper | undefined {
  return typeof row === 'function' ? row : row?.[collection]
}

/** The number of rows whose form is asked for at once. */
const MAX_UNMAPPED = 1_000

export class SentForms {
  readonly #forms: ReadonlyMap<string, Map<string, unknown>>
  readonly #unmapped = new Map<string, JsonObject[]>()
  #count = 0

  constructor(mapped: NonNullable<Mapped>) {
    this.#forms = new Map(
      Object.entries(mapped).map(([collection, pairs]) => [
        collection,
        new Map(pairs?.map(({ row, as }) => [JSON.stringify(row), as])),
      ]),
    )
  }

  get row(): Readonly<Record<string, RowMapper>> {
    const mappers = Array.from(this.#forms.keys(), (name) => [
      name,
      (row: JsonObject) => this.#map(name, row),
    ])
    return Object.fromEntries(mappers)
  }

  get unmapped(): Verdict['unmapped'] {
    return this.#unmapped.size === 0
      ? undefined
      : Object.fromEntries(
          Array.from(this.#unmapped, ([name, rows]) => [name, rows.map((row) => ({ ...row }))]),
        )
  }

  #map(name: string, row: JsonObject): unknown {
    const forms = this.#forms.get(name)
    const key = JSON.stringify(row)
    if (forms && !forms.has(key) && this.#count < MAX_UNMAPPED) {
      this.#count += 1
      forms.set(key, undefined)
      getOrCreate(this.#unmapped, name, () => []).push(row)
    }
    return forms?.get(key)
  }
}

export function readCollections(copies: object): TableName[] {
  const unknown = Object.keys(copies).find((name) => !tableNames.some((table) => table === name))
  if (unknown !== undefined) {
    const message = `is not a collection. ${didYouMean(unknown.slice(0, 60), tableNames)}`
    throw invalidRequest([{ in: 'body', name: `copy.${unknown.slice(0, 60)}`, message }])
  }
  return tableNames.filter((name) => Reflect.get(copies, name) !== undefined)
}

export function* readCopy(collection: TableName, rows: unknown, idField: string): Steps<CopiedRows> {
  if (!Array.isArray(rows)) throw createError(`copy.${collection}`, 'must be a list of rows or of ids')
  if (rows.length > MAX_ROWS) throw createError(`copy.${collection}`, `must have at most ${MAX_ROWS} rows`)
  const copied = new Map<number, JsonObject[]>()
  for (const [at, row] of rows.entries()) {
    if (at % SLICE === 0) yield
    const id = readId(isObject(row) ? row[idField] : row)
    if (id === undefined) {
      const fact = isObject(row) ? `has no ${idField}` : 'is neither a row nor an id'
      const hint = idField === 'id' ? ', or say with `row` how your client maps rows' : ''
      const advice = `Keep the id of the service in each row, as ${idField}${hint}.`
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

/** Finds the field in which mapped rows have the id of the service: `id`, or else the first that has it in each of them. */
export function findIdField(
  collection: TableName,
  mapped: readonly (readonly [id: number, row: unknown])[],
): string {
  const rows = mapped.flatMap(([id, row]) => (isObject(row) ? [[id, row] as const] : []))
  const [first] = rows
  if (!first) return 'id'
  const names = Object.keys(first[1]).filter((name) => rows.every(([id, row]) => readId(row[name]) === id))
  const name = names.includes('id') ? 'id' : names[0]
  if (name !== undefined) return name
  throw createError(`row.${collection}`, 'must return rows with the id of the service in some field')
}
