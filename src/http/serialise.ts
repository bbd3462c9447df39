import { SandboxError } from '../contract/errors.ts'
import type { Resource } from '../resources/resource.ts'
import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'

type Kept = WeakMap<Row<TableName>, string>

/** Makes wire JSON of rows: checked against the shape once per record, then kept as long as the row is. */
export interface Serialiser {
  (resource: Resource, row: Row<TableName>, data: Data): string
}

/** A serialiser with an empty memory. Errors: internal_error where a record does not fit its shape. */
export function createSerialiser(): Serialiser {
  const memory = new Map<Resource, Kept>()
  return (resource, row, data) => {
    if (data.hasChanged(resource.embeds)) return serialise(resource, row, data)
    let kept = memory.get(resource)
    if (!kept) memory.set(resource, (kept = new WeakMap()))
    const known = kept.get(row)
    if (known !== undefined) return known
    const json = serialise(resource, row, data)
    kept.set(row, json)
    return json
  }
}

function serialise(resource: Resource, row: Row<TableName>, data: Data): string {
  const checked = resource.shape.safeParse(resource.present(row, data))
  if (!checked.success) {
    const fact = `${resource.table} ${row.id} does not fit its shape`
    throw new SandboxError('internal_error', fact, { cause: checked.error })
  }
  return JSON.stringify(checked.data)
}
