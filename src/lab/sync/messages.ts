import { invalidRequest } from '../../core/errors.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'

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
export class Messages {
  readonly #streams = new Map<string, Map<unknown, SentRow>>()

  get isEmpty(): boolean {
    return this.#streams.size === 0
  }

  /** Reads the value of a line. Returns false if it is none of these messages. Errors: invalid_request that names the line of a RECORD without a stream or a row */
  read(value: JsonObject, number: number): boolean {
    const { type, stream, record, version } = value
    // A schema announces a stream that may have no rows.
    if (type === 'SCHEMA' && typeof stream === 'string') this.#open(stream)
    else if (type === 'ACTIVATE_VERSION' && typeof stream === 'string') this.#activate(stream, version)
    else if (type === 'RECORD') this.#store(value, record, number)
    else return false
    return true
  }

  /** Keeps the rows of a version, and those that have none. */
  #activate(stream: string, active: unknown): void {
    const rows = this.#open(stream)
    for (const [key, { version }] of rows) {
      if (version !== undefined && version !== active) rows.delete(key)
    }
  }

  #store({ stream, version }: JsonObject, record: unknown, number: number): void {
    const [name, row] =
      isObject(record) && stream === undefined ? [record['stream'], record['data']] : [stream, record]
    if (typeof name !== 'string' || !isObject(row)) {
      const message =
        'must be a RECORD of Singer with stream and record, or of Airbyte with record.stream and record.data'
      throw invalidRequest([{ in: 'body', name: `line ${number}`, message }])
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
