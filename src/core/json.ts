/** The maximum depth of JSON, so that recursive code does not run out of stack. */
export const MAX_DEPTH = 200

export const nestedTooDeep = `must not be nested more than ${MAX_DEPTH} levels deep`

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const listObjects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** Reports whether a value has at most this many levels; false for a value that contains itself. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1))
}

/** Estimates the length of a value as JSON down to some levels, faster than formatting it. Units: characters. */
export function estimateLength(value: unknown, levels = MAX_DEPTH): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 4
  let length = 2
  if (levels > 0)
    for (const name in value) length += name.length + 4 + estimateLength(Reflect.get(value, name), levels - 1)
  return length
}

/** Reports whether a value has more values than a limit, itself and those down to the maximum depth, which a cycle reaches. */
export function hasMoreValues(value: unknown, limit: number): boolean {
  return countValues(value, limit) > limit
}

/** Counts values until they are more than a limit. */
function countValues(value: unknown, limit: number, levels = MAX_DEPTH): number {
  if (typeof value !== 'object' || value === null || levels === 0) return 1
  // The items of a long list would be listed at once.
  if (Array.isArray(value) && value.length > limit) return value.length
  let count = 1
  for (const part of Object.values(value)) {
    count += countValues(part, limit - count, levels - 1)
    if (count > limit) break
  }
  return count
}

export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(Object.freeze(value))) freeze(part)
  return value
}

export const notWellFormed = 'must be well-formed Unicode, without lone surrogates'

/** Finds the first text in a value that UTF-8 cannot encode, by its path. */
export function findLoneSurrogate(value: unknown): PropertyKey[] | undefined {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  // Entries would be a list for each field, which takes a note 0.4 µs more.
  for (const name in value) {
    const path = findLoneSurrogate(Reflect.get(value, name))
    if (path) return [Array.isArray(value) ? Number(name) : name, ...path]
  }
  return undefined
}

type Defined<T extends object> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Copies an object without the fields that have no value. */
export function removeUndefined<T extends object>(fields: T): Defined<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- removes only fields without a value
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}

/**
 * Lists the names of the fields in which two records differ; an absent one is as one that is null.
 * Order: as in the first, then as in the second.
 */
export function listChangedFields(
  before: object | null | undefined,
  after: object | null | undefined,
): string[] {
  return Object.keys({ ...before, ...after }).filter(
    (name) => formatField(before, name) !== formatField(after, name),
  )
}

const formatField = (record: unknown, name: string): string => JSON.stringify(Object(record)[name] ?? null)

/** The records that a body shows, and the total of a list in an envelope. */
export interface Shown {
  readonly records: readonly JsonObject[]
  readonly total?: number | undefined
}

/** Reads the records of a list, also in an envelope, or takes the body itself as one. */
export function readShown(body: unknown): Shown {
  const { items, totalCount }: JsonObject = isObject(body) ? body : { items: body }
  if (!Array.isArray(items)) return { records: listObjects([body]) }
  return { records: listObjects(items), total: typeof totalCount === 'number' ? totalCount : undefined }
}
