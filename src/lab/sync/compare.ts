import { isObject, type JsonObject } from '../../core/json.ts'

const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?$/i
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Converts an instant to milliseconds since 1970, without a time zone as UTC; undefined if it is none. */
function toInstantMs(value: unknown): number | undefined {
  const [, date, time = '', zone = 'Z'] = (typeof value === 'string' && INSTANT.exec(value)) || []
  if (date === undefined) return undefined
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const timeMs = Date.parse(`${date}T${time}${offset.toUpperCase()}`)
  return Number.isNaN(timeMs) ? undefined : timeMs
}

function toNumber(value: unknown): number | undefined {
  const isNumber = typeof value === 'string' && NUMBER.test(value)
  return isNumber || typeof value === 'number' ? Number(value) : undefined
}

/** Compares a value of a copy with the service's, in the type of the latter. */
function isEqual(value: unknown, truth: unknown): boolean {
  if (value === truth) return true
  if (typeof truth === 'number') return toNumber(value) === truth
  if (typeof truth === 'string') {
    const instantMs = toInstantMs(truth)
    return instantMs !== undefined && instantMs === toInstantMs(value)
  }
  if (Array.isArray(value) && Array.isArray(truth)) {
    return value.length === truth.length && value.every((part, at) => isEqual(part, truth[at]))
  }
  if (!isObject(value) || !isObject(truth)) return false
  for (const name in value) if (!isEqual(value[name], truth[name])) return false
  for (const name in truth) if (value[name] === undefined && truth[name] !== undefined) return false
  return true
}

/** Lists the fields in which a row differs from a version. Its further fields are those of another operation. */
export const findDifferentFields = (
  row: JsonObject,
  version: JsonObject,
  ignored?: ReadonlySet<string>,
): string[] =>
  Object.keys(version).filter(
    (name) =>
      row[name] !== undefined &&
      version[name] !== undefined &&
      !ignored?.has(name) &&
      !isEqual(row[name], version[name]),
  )

export const isVersion = (row: JsonObject, version: JsonObject, ignored?: ReadonlySet<string>): boolean =>
  findDifferentFields(row, version, ignored).length === 0

export const isSame = (a: JsonObject | undefined, b: JsonObject | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

export function readUpdatedDate(record: JsonObject | undefined): string | undefined {
  const date = record?.['updatedDate']
  return typeof date === 'string' ? date : undefined
}
