import { invalidRequest } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { didYouMean } from '../core/nearest.ts'
import { type TableName, tableNames } from '../store/tables.ts'
import type { Shown } from './collections.ts'
import type { RowMapper, VerdictOptions } from './sync-control.ts'

/** The rows of a copy with one id; an empty list of fields if the copy has only the id. */
export type CopiedRows = ReadonlyMap<number, readonly Shown[]>

/** The most rows of a copy. */
const MAX_ROWS = 1_000_000

/** Finds the function that maps the rows of a collection to the client's form. */
export function findMapper(row: VerdictOptions['row'], collection: TableName): RowMapper | undefined {
  return typeof row === 'function' ? row : row?.[collection]
}

/** Reads the names of the collections in a copy. Errors: invalid_request for an unknown one. */
export function readCollections(copies: object): TableName[] {
  const unknown = Object.keys(copies).find((name) => !tableNames.some((known) => known === name))
  if (unknown !== undefined) {
    const message = `is not a collection. ${didYouMean(unknown.slice(0, 60), tableNames)}`
    throw invalidRequest([{ in: 'body', name: `copy.${unknown.slice(0, 60)}`, message }])
  }
  return tableNames.filter((name) => Reflect.get(copies, name) !== undefined)
}

/**
 * Reads the rows of a copy by their ids.
 * @param idField the name of the field that has the id
 * Errors: invalid_request for a row without an id.
 */
export function readCopy(collection: TableName, rows: unknown, idField: string): CopiedRows {
  if (!Array.isArray(rows)) throw createError(`copy.${collection}`, 'must be a list of rows or of ids')
  if (rows.length > MAX_ROWS) throw createError(`copy.${collection}`, `must have at most ${MAX_ROWS} rows`)
  const copied = new Map<number, Shown[]>()
  for (const [at, row] of rows.entries()) {
    const id = readId(isObject(row) ? row[idField] : row)
    if (id === undefined) {
      const fact = isObject(row) ? `has no ${idField}` : 'is neither a row nor an id'
      const advice = `Keep the id of the service in each row, as ${idField}.`
      throw createError(`copy.${collection}[${at}]`, `${fact}. ${advice}`)
    }
    const same = copied.get(id) ?? []
    copied.set(id, same)
    same.push(isObject(row) ? row : {})
  }
  return copied
}

function readId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  const number = typeof id === 'bigint' ? Number(id) : id
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined
}

const createError = (name: string, message: string) => invalidRequest([{ in: 'body', name, message }])

/**
 * Finds the field in which mapped rows have the id of the service: `id`, or else the first that has it in each of them.
 * Errors: invalid_request if there is none.
 */
export function findIdField(
  collection: TableName,
  mapped: readonly (readonly [id: number, row: unknown])[],
): string {
  const rows = mapped.flatMap(([id, row]) => (isObject(row) ? [[id, row] as const] : []))
  const [first] = rows
  if (!first) return 'id'
  const names = Object.keys(first[1]).filter((name) => rows.every(([id, row]) => readId(row[name]) === id))
  const [found] = names.includes('id') ? ['id'] : names
  if (found !== undefined) return found
  throw createError(`row.${collection}`, 'must return rows with the id of the service in some field')
}
