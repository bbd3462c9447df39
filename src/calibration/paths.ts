import { isObject } from '../core/json.ts'
import type { Deviation } from './schemas.ts'

/** A key that names a field; any other one may be a value, as in an object that is a map. */
const FIELD_NAME = /^[A-Za-z_$][\w$-]{0,39}$/

export const isFieldName = (key: string): boolean => FIELD_NAME.test(key)

/** Formats the path of a field without indexes, as in `products[].metrics[].key`. */
export function formatFieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[]`
    const name = isFieldName(String(key)) ? String(key) : '…'
    return text === '' ? name : `${text}.${name}`
  }, '')
}

const formats: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ['email', /^[^\s@]{1,64}@[^\s@]{1,255}$/],
  ['uri', /^https?:\/\/\S{1,2000}$/],
]

export function findFormat(text: string): string | undefined {
  return text.length > 2_048 ? undefined : formats.find(([, pattern]) => pattern.test(text))?.[0]
}

export function nameType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

export function describeType(value: unknown): string {
  const type = nameType(value)
  if (typeof value === 'string') {
    const format = findFormat(value)
    return format === undefined ? (value === '' ? 'empty string' : type) : `${type} (${format})`
  }
  if (Array.isArray(value)) return value.length === 0 ? 'empty array' : `array of ${nameType(value[0])}`
  if (!isObject(value)) return type
  const names = Object.keys(value)
    .slice(0, MAX_NAMES)
    .map((key) => formatFieldPath([key]))
  return `object with ${names.join(', ') || 'no field'}`
}

const MAX_NAMES = 12

export function describeKind({ kind, value }: Pick<Deviation, 'kind' | 'value'>): string {
  if (kind === 'extra') return `an extra field, ${describeType(value)}`
  if (kind === 'word') return 'another word'
  return kind === 'missing' ? 'missing' : describeType(value)
}

export const describeDeviation = (deviation: Deviation): string =>
  `${formatFieldPath(deviation.path) || 'the record'}: ${describeKind(deviation)}`
