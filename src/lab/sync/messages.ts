import { invalidRequest } from '../../core/errors.ts'
import { isNestedTooDeep, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'

/** Fields that a connector adds to the rows of the service. */
const ADDED = /^(?:_sdc_|_airbyte_|_ab_)/

/**
 * Parses messages of a Singer tap or an Airbyte source: the last row of each id, by stream. Lines that are no messages,
 * such as logs, or a line that a kill has cut off, are passed over. A row that a connector marks as deleted is gone.
 * @returns undefined if the text has no RECORD
 * Errors: invalid_request that names the line of a RECORD without a stream or a row
 */
export function parseMessages(text: string): Readonly<Record<string, readonly JsonObject[]>> | undefined {
  const streams = new Map<string, Map<unknown, JsonObject>>()
  let hasRecords = false
  for (const [at, line] of text.split('\n').entries()) {
    if (!line.includes('"RECORD"') && !line.includes('"SCHEMA"')) continue
    const value = isNestedTooDeep(line) ? undefined : parseJson(line)
    if (!isObject(value)) continue
    const { type, stream, record } = value
    // A schema announces a stream that may have no rows.
    if (type === 'SCHEMA' && typeof stream === 'string') openStream(streams, stream)
    if (type !== 'RECORD') continue
    hasRecords = true
    const [name, row] =
      isObject(record) && stream === undefined ? [record['stream'], record['data']] : [stream, record]
    if (typeof name !== 'string' || !isObject(row)) {
      const message =
        'must be a RECORD of Singer with stream and record, or of Airbyte with record.stream and record.data'
      throw invalidRequest([{ in: 'body', name: `line ${at + 1}`, message }])
    }
    const rows = openStream(streams, name)
    const { id } = row
    // Each row without an id is kept, and refused later.
    const key = typeof id === 'string' || typeof id === 'number' ? `${id}` : {}
    rows.delete(key)
    const isDeleted = (row['_sdc_deleted_at'] ?? row['_ab_cdc_deleted_at'] ?? '') !== ''
    const fields = Object.entries(row).filter(([field]) => !ADDED.test(field))
    if (!isDeleted) rows.set(key, Object.fromEntries(fields))
  }
  return hasRecords
    ? Object.fromEntries(Array.from(streams, ([name, rows]) => [name, [...rows.values()]]))
    : undefined
}

/** Opens the rows of a stream, whose name may be written as `product_metrics`. */
const openStream = (streams: Map<string, Map<unknown, JsonObject>>, name: string): Map<unknown, JsonObject> =>
  getOrCreate(
    streams,
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    () => new Map(),
  )
