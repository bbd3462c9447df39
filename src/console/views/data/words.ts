import { numberText } from '../../parts/number.ts'

/** A collection's name in words, as in `Trigger logs`. */
export function titleOf(collection: string): string {
  const words = plural(collection)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** As in `trigger logs`. */
export const plural = (collection: string): string =>
  collection.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** As in `trigger log`. */
export const singular = (collection: string): string =>
  plural(collection).replace(/ies$/, 'y').replace(/s$/, '')

/** As in `1 signal`, `3 signals`. */
export const counted = (count: number, collection: string): string =>
  `${numberText(count)} ${count === 1 ? singular(collection) : plural(collection)}`

/** How many records of each collection there are, as in `1 customer, 3 signals`. */
export function countsText(counts: Readonly<Partial<Record<string, number>>>): string {
  return Object.entries(counts)
    .map(([collection, count = 0]) => counted(count, collection))
    .join(', ')
}

/** A record, of whatever collection. */
export type AnyRecord = Readonly<Record<string, unknown>>

/** Says that a JSON value is an object, neither null nor a list. */
export const isRecord = (value: unknown): value is AnyRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as a text: what is no text as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The entries of a list, which have nothing to be told apart by but their place. */
export const placed = <T>(values: readonly T[]): readonly { readonly place: string; readonly value: T }[] =>
  values.map((value, index) => ({ value, place: `${index}` }))

/** What a record is called, by whichever of its fields says so. */
export function labelOf(record: AnyRecord): string {
  const { firstName, givenName, lastName, familyName } = record
  const person = [firstName ?? givenName, lastName ?? familyName].filter((part) => typeof part === 'string')
  if (person.length > 0) return person.join(' ')
  for (const field of ['name', 'title', 'label', 'topic', 'summary', 'key']) {
    const value = record[field]
    if (typeof value === 'string' && value !== '') return value
  }
  return typeof record['id'] === 'number' ? `${record['id']}` : ''
}

/** Fields that name a record of a collection, and do not say of which. */
const references: Readonly<Record<string, string>> = {
  ownerId: 'members',
  createdById: 'members',
  updatedById: 'members',
  managerId: 'members',
  categoryId: 'noteCategories',
  parentId: 'automations',
}

/** The collection of which a field names a record, as `customers` for `customerId`; undefined where it names none. */
export function collectionOf(field: string, collections: readonly string[]): string | undefined {
  const known = references[field] ?? `${field.replace(/Id$/, '')}s`
  return field.endsWith('Id') && collections.includes(known) ? known : undefined
}
