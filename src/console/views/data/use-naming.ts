import { type Records, useRecords } from './use-records.ts'
import { collectionOf } from './words.ts'

/** Where what is shown comes from. */
export interface Source {
  readonly collections: readonly string[]
  readonly organizationId: string
}

/** What is known of the collections and their records, to name and to link what a field refers to. */
export interface Naming {
  readonly collections: readonly string[]
  readonly records: Records
}

/** The names of what some fields refer to. */
export function useNaming(fields: readonly string[], { collections, organizationId }: Source): Naming {
  const referred = fields.flatMap((field) => collectionOf(field, collections) ?? [])
  return { collections, records: useRecords(referred, organizationId) }
}
