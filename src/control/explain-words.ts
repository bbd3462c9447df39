import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'

/** How many of many are named. */
const MAX_NAMED = 5

/** A table's name for one of its records: `customer`, `noteCategory`. */
export const singular = (table: TableName): string => table.replace(/ies$/, 'y').replace(/s$/, '')

/** A record as a sentence calls it: `customer 12`. */
export function called(table: TableName, id: number): string {
  const noun = singular(table).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${noun} ${id}`
}

/** The beginning of a sentence. */
export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** A member by name and id: `Mara Ellis (1)`. */
export function person(id: number, data: Pick<Data, 'get'>): string {
  const member = data.get('members', id)
  return member ? personOf(member) : `a member that there is none of (${id})`
}

/** As `person`. */
export const personOf = ({ id, firstName, lastName }: Row<'members'>): string =>
  `${firstName} ${lastName} (${id})`

/** Things in a row: `a, b and 3 more`. */
export function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED
  return `${names.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** A value as a sentence quotes it: alternatives with `or`, an absent one as such. */
export function quoted(value: unknown): string {
  if (Array.isArray(value)) return value.map(quoted).join(' or ')
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}

/** The fields of a value; none of what is no object. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
