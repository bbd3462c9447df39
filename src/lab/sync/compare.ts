import { isObject, type JsonObject } from '../../core/json.ts'

const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?$/i
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Converts an instant to milliseconds since 1970, without a time zone as UTC; undefined if it is none. */
function toInstantMs(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime()
  const [, date, time = '', zone = 'Z'] = (typeof value === 'string' && INSTANT.exec(value)) || []
  if (date === undefined) return undefined
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const timeMs = Date.parse(`${date}T${time}${offset.toUpperCase()}`)
  return Number.isNaN(timeMs) ? undefined : timeMs
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (isNumber(one) || isNumber(other))
    return toNumber(one) === toNumber(other) && toNumber(one) !== undefined
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((part, at) => isEqual(part, other[at]))
  }
  const instantMs = toInstantMs(one)
  if (instantMs !== undefined) return instantMs === toInstantMs(other)
  if (!isObject(one) || !isObject(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isEqual(one[name], other[name]))
}

export function findDifferentFields(
  row: JsonObject,
  truth: JsonObject,
  ignored: ReadonlySet<string>,
): string[] {
  return Object.keys(truth).filter(
    (name) => row[name] !== undefined && !ignored.has(name) && !isEqual(row[name], truth[name]),
  )
}

/** Reports whether a response has shown a record as it is in a version. Further fields are those of another operation. */
export const isVersion = (delivered: JsonObject, shown: JsonObject): boolean =>
  Object.keys(delivered).every((name) => !(name in shown) || isEqual(delivered[name], shown[name]))

export function readUpdatedDate(record: JsonObject | undefined): string | undefined {
  const date = record?.['updatedDate']
  return typeof date === 'string' ? date : undefined
}
