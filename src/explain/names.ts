import type { ScenarioAct } from '../journal/entry.ts'
import { type Row, type TableName, tables } from '../store/tables.ts'

export function describeAct({ id, name, did }: Omit<ScenarioAct, 'revision'>): string {
  return `${id} (${name}) ${did}`
}

/** Names a record in code, as in `customer`, `noteCategory`. */
export function toSingular(table: TableName): string {
  return table.replace(/ies$/, 'y').replace(/s$/, '')
}

/** Names a record in a sentence, as in `customer 12`, `note category 3`. */
export function nameRecord(table: TableName, id: number): string {
  return `${tables[table].noun} ${id}`
}

export function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Names a member in a sentence, as in `Mara Ellis (1)`. */
export function nameMember({ id, firstName, lastName }: Row<'members'>): string {
  return `${firstName} ${lastName} (${id})`
}

export function quote(value: unknown, separator = ' or '): string {
  if (!Array.isArray(value)) return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return value.length === 0 ? 'none' : value.map((part) => quote(part)).join(separator)
}
