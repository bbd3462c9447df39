import type { Codec } from '../../contract/codecs.ts'
import { type FieldError, invalidField, invalidRequest } from '../../core/errors.ts'
import { formatPath, validationErrors } from '../../core/issues.ts'
import { estimateLength, hasMoreValues, isObject } from '../../core/json.ts'
import { MAX_LENGTH, type TableName, tooLong } from '../../store/tables.ts'
import type { ParsedChild } from './forms/automations.ts'
import type { GivenFields } from './forms/form.ts'
import { forms } from './forms/forms.ts'

export interface Item<T extends TableName = TableName> {
  readonly table: T
  readonly id: number | undefined
  /** A record to create must not exist. Missing fields keep their values in a patch, and are generated in a PUT. */
  readonly write: 'create' | 'put' | 'patch'
  readonly raw: unknown
  readonly input: GivenFields<T> & { readonly children?: readonly ParsedChild[] | undefined }
  readonly path: readonly PropertyKey[]
  readonly organizationId: string | undefined
}

export class ValidationErrors {
  readonly #errors = new Map<string, FieldError>()

  /** Adds an error, unless the field already has one. An organization may come from the query. */
  add(item: Pick<Item, 'path' | 'organizationId'>, path: string, message: string): void {
    const isQuery = path === 'organizationId' && item.organizationId !== undefined
    const place = formatPath(item.path)
    const separator = place === '' || path === '' || path.startsWith('[') ? '' : '.'
    const name = isQuery ? path : `${place}${separator}${path}`
    if (!this.#errors.has(name)) this.#errors.set(name, { in: isQuery ? 'query' : 'body', name, message })
  }

  throwIfAny(): void {
    if (this.#errors.size > 0) throw invalidRequest([...this.#errors.values()])
  }
}

const MAX_CREATED = 10_000

/** Errors: invalid_request for more records than one call creates. */
export function checkCount(count: number): void {
  if (count <= MAX_CREATED) return
  const message = `must hold at most ${MAX_CREATED} records, not ${count}; create the rest by another call`
  throw invalidField('', message)
}

/** The most values of a record, fewer than of a change in a saved state. */
const MAX_RECORD_VALUES = 5_000

function checkSize(record: unknown, path: readonly PropertyKey[]): void {
  const hasMore = hasMoreValues(record, MAX_RECORD_VALUES)
  if (!hasMore && estimateLength(record) <= MAX_LENGTH) return
  const message = hasMore ? `must not have more than ${MAX_RECORD_VALUES} values` : tooLong
  throw invalidField(formatPath(path), message)
}

/** Errors: invalid_request for a record that has too many values, or is too long; others are added to `errors`. */
export function parseItem(
  { raw: encoded, ...place }: Omit<Item, 'input'>,
  { decode }: Pick<Codec, 'decode'>,
  errors: ValidationErrors,
): Item | undefined {
  checkSize(encoded, place.path)
  const item = { ...place, raw: decode(encoded) }
  const schema = forms[item.table].input
  const parsed = schema.safeParse(item.raw)
  if (!parsed.success) {
    const invalid = validationErrors('body', schema, parsed.error.issues)
    for (const { name, message } of invalid) errors.add(item, name, message)
    return undefined
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the form of the item's own table
  const input = parsed.data as Item['input']
  if (item.id !== undefined && input.id !== undefined && input.id !== item.id) {
    errors.add(item, 'id', `must be ${item.id}, the record's own id`)
    return undefined
  }
  return { ...item, id: item.id ?? input.id, input }
}

/** Converts a path in the row to the path in the given record, which may name records in another form. */
export function toGivenPath(path: string, raw: unknown): string {
  const ids = /^(.*)memberIds\[(\d+)\]$/.exec(path)
  if (ids) {
    const [, before = '', index = ''] = ids
    const members = readPath(raw, `${before}members`)
    if (!Array.isArray(members)) return path
    return `${before}members[${index}]${typeof members[Number(index)] === 'number' ? '' : '.id'}`
  }
  // The parent of a child follows from its place.
  if (raw === undefined && path === 'parentId') return 'id'
  const category = readPath(raw, 'category')
  const isGiven = category === undefined || readPath(raw, 'categoryId') !== undefined
  if (path !== 'categoryId' || isGiven) return path
  return typeof category === 'number' ? 'category' : 'category.id'
}

function readPath(value: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
  return keys.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value)
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

export function patchFields(record: object, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => [name, mergePatch(Reflect.get(record, name), value)]),
  )
}
