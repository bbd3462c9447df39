import { formatNumber } from '../../components/format.tsx'

/** Formats a collection's name as a title, as in `Trigger logs`. */
export function formatTitle(collection: string): string {
  const words = pluralize(collection)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Formats a collection's name, as in `trigger logs`. */
export const pluralize = (collection: string): string =>
  collection.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Formats the name of one record, as in `trigger log`. */
export const singularize = (collection: string): string =>
  pluralize(collection).replace(/ies$/, 'y').replace(/s$/, '')

/** Formats a count of records, as in `1 signal`, `3 signals`. */
export const formatCount = (count: number, collection: string): string =>
  `${formatNumber(count)} ${count === 1 ? singularize(collection) : pluralize(collection)}`

/** Formats counts by collection, as in `1 customer, 3 signals`. */
export function formatCounts(counts: Readonly<Partial<Record<string, number>>>): string {
  return Object.entries(counts)
    .map(([collection, count = 0]) => formatCount(count, collection))
    .join(', ')
}

/** A record of any collection. */
export type AnyRecord = Readonly<Record<string, unknown>>

/** Reports whether a JSON value is an object, neither null nor a list. */
export const isRecord = (value: unknown): value is AnyRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Converts a value to text; other values than strings become JSON. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Adds keys to list entries that have no other identity than their position. */
export const withKeys = <T>(values: readonly T[]): readonly { readonly place: string; readonly value: T }[] =>
  values.map((value, index) => ({ value, place: `${index}` }))

/** Returns a record's name, from whichever field holds it. */
export function getLabel(record: AnyRecord): string {
  const { firstName, givenName, lastName, familyName } = record
  const person = [firstName ?? givenName, lastName ?? familyName].filter((part) => typeof part === 'string')
  if (person.length > 0) return person.join(' ')
  for (const field of ['name', 'title', 'label', 'topic', 'summary', 'key']) {
    const value = record[field]
    if (typeof value === 'string' && value !== '') return value
  }
  return typeof record['id'] === 'number' ? `${record['id']}` : ''
}

/** The collections of reference fields that are not named after them. */
const references: Readonly<Record<string, string>> = {
  ownerId: 'members',
  createdById: 'members',
  updatedById: 'members',
  managerId: 'members',
  categoryId: 'noteCategories',
  parentId: 'automations',
}

/** Finds the collection that a field refers to, as `customers` for `customerId`; undefined if none. */
export function findCollection(field: string, collections: readonly string[]): string | undefined {
  const known = references[field] ?? `${field.replace(/Id$/, '')}s`
  return field.endsWith('Id') && collections.includes(known) ? known : undefined
}
