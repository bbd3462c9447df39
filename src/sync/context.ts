import type { Settings } from '../contract/choices.ts'
import type { Row, TableName } from '../store/tables.ts'
import { nameRow } from './collections.ts'
import type { History } from './history.ts'
import type { Lists } from './lists.ts'
import type { Read } from './reads.ts'
import type { Reason } from './verdict.ts'
import type { Pages } from './walks.ts'

/** Everything that a sync is judged by. */
export interface Context {
  readonly caller: Row<'members'>
  readonly settings: Settings
  readonly history: History
  /** The requests of the caller. Order: by id. */
  readonly reads: readonly Read[]
  /** Order: by their first requests. */
  readonly walks: readonly Pages[]
  readonly lists: Lists
  /** The first request that is known, if earlier ones are forgotten. */
  readonly since: number | undefined
}

/** Why a row of a copy is not correct. */
export interface Finding {
  readonly reason: Reason
  /** Order: as in the text. */
  readonly requests: readonly number[]
  /** The reason as the rest of a sentence. */
  readonly text: string
}

/** The most records that a text names. */
const MAX_NAMES = 3

/** Names records in a sentence, as in `customer 3, customer 4 and 2 more`. */
export function nameRows(table: TableName, ids: readonly number[]): string {
  const names = ids.slice(0, MAX_NAMES).map((id) => nameRow(table, id))
  const rest = ids.length - names.length
  if (rest > 0) return `${names.join(', ')} and ${rest} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
