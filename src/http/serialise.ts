import { SandboxError } from '../contract/errors.ts'
import type { BoundOperation } from '../resources/contract.ts'
import type { Resource } from '../resources/resource.ts'
import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'

/** JSON in UTF-8. */
export type Json = Uint8Array<ArrayBuffer>

type Kept = WeakMap<Row<TableName>, Json>

/** Records as wire JSON. */
export interface Serialised {
  /** A comma follows each record, so that a list needs no copy of it. Order: as the rows. */
  readonly parts: Json[]
  /** How many of their bytes do not belong to the dataset. */
  readonly unshared: number
}

/** Makes wire JSON of rows: checked against the shape once per record, then kept as long as the row is. */
export interface Serialiser {
  (operation: BoundOperation, rows: readonly Row<TableName>[], data: Data): Serialised
}

/** Memory for records is taken in pieces of this size. Units: bytes. */
const SLAB = 262_144

const encoder = new TextEncoder()

/** A text in UTF-8. */
export const jsonOf = (text: string): Json => encoder.encode(text)

/** The memory that a part takes by itself, where it lies in no slab. Units: bytes, estimated. */
const OWN_PART = 300

/** A serialiser with an empty memory, for one contract. Errors: internal_error where a record does not fit its shape. */
export function createSerialiser(): Serialiser {
  const memory = new Map<Resource, Kept>()
  const write = slabWriter()
  return (operation, rows, data) => {
    const { resource } = operation.endpoint
    if (data.hasChanged(resource.embeds)) return serialiseAnew(operation, rows, data)
    const kept = memory.get(resource) ?? new WeakMap<Row<TableName>, Json>()
    memory.set(resource, kept)
    const mayBeOwn = data.hasChanged([resource.table])
    let unshared = 0
    const parts = rows.map((row) => {
      const isOwn = mayBeOwn && data.isChanged(resource.table, row.id)
      let json = kept.get(row)
      if (!json) {
        const text = textOf(operation, row, data)
        // A session's own records are released with it: in a slab they would keep their neighbours alive.
        json = isOwn ? jsonOf(text) : write(text)
        kept.set(row, json)
      }
      if (isOwn) unshared += OWN_PART + json.length
      return json
    })
    return { parts, unshared }
  }
}

/** Makes wire JSON of rows in one piece, and remembers nothing. */
export const serialiseAnew: Serialiser = (operation, rows, data) => {
  const json = jsonOf(rows.map((row) => textOf(operation, row, data)).join(''))
  return { parts: [json], unshared: OWN_PART + json.length }
}

function textOf({ endpoint, shape, encode }: BoundOperation, row: Row<TableName>, data: Data): string {
  const { resource } = endpoint
  const checked = shape.safeParse(encode(resource.present(row, data)))
  if (!checked.success) {
    const fact = `${resource.table} ${row.id} does not fit its shape`
    throw new SandboxError('internal_error', fact, { cause: checked.error })
  }
  return `${JSON.stringify(checked.data)},`
}

/** Writes texts one behind the other: thousands of small pieces of memory would each cost more than what is in them. */
function slabWriter(): (text: string) => Json {
  let slab: Json = new Uint8Array()
  let used = 0
  return (text) => {
    // A UTF-16 unit takes three bytes of UTF-8 at the most.
    const most = text.length * 3
    if (most > SLAB / 4) return jsonOf(text)
    if (used + most > slab.length) [slab, used] = [new Uint8Array(SLAB), 0]
    const { written } = encoder.encodeInto(text, slab.subarray(used))
    const json = slab.subarray(used, used + written)
    used += written
    return json
  }
}
