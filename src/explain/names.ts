import type { ScenarioAct } from '../journal/entry.ts'
import type { Row, TableName } from '../store/tables.ts'

export function describeAct({ id, name, did }: Omit<ScenarioAct, 'revision'>): string {
  return `${id} (${name}) ${did}`
}

/** Names a record in code, as in `customer`, `noteCategory`. */
export function toSingular(table: TableName): string {
  return table.replace(/ies$/, 'y').replace(/s$/, '')
}

export function nameMember({ id, firstName, lastName }: Row<'members'>): string {
  return `${firstName} ${lastName} (${id})`
}

export function quote(value: unknown, separator = ' or '): string {
  if (!Array.isArray(value)) return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return value.length === 0 ? 'none' : value.map((part) => quote(part)).join(separator)
}
