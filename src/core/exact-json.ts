import { invalidField } from './errors.ts'
import { formatPath } from './issues.ts'
import { parseJsonInSteps } from './json-steps.ts'
import { hasMoreValues, MAX_DEPTH, nestedTooDeep } from './json.ts'
import { runAtOnce, type Steps } from './slices.ts'
import { shorten } from './words.ts'

/** A part of a value that JSON, or JavaScript, would change or drop in silence. */
export interface Loss {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The values that one step looks at. */
const VALUES = 1_000

/** Finds the first part of a value that JSON would change or drop, or that is nested too deep. */
export function* findLoss(value: unknown, levels = MAX_DEPTH): Steps<Loss | undefined> {
  /** For each level the parts that are left, and the key of the present one. */
  const open: { readonly rest: Iterator<[PropertyKey, unknown], undefined>; key: PropertyKey }[] = []
  let part: unknown = value
  for (let count = 1; ; count += 1) {
    if (count % VALUES === 0) yield
    const found = nameUnwritable(part)
    if (found !== undefined) {
      const path = open.map(({ key }) => key)
      return { path, message: `must be a value that JSON can represent (got ${found})` }
    }
    if (typeof part === 'object' && part !== null && !hasToJson(part)) {
      if (open.length === levels) return { path: [], message: nestedTooDeep }
      open.push({ rest: iterateParts(part), key: '' })
    }
    let next = open.at(-1)?.rest.next()
    while (next?.done) {
      open.pop()
      next = open.at(-1)?.rest.next()
    }
    const last = open.at(-1)
    if (!last || !next) return undefined
    ;[last.key, part] = next.value
  }
}

function iterateParts(value: object): IterableIterator<[PropertyKey, unknown], undefined> {
  if (Array.isArray(value)) return value.entries()
  // An undefined field is a field that is not given.
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .values()
}

const hasToJson = (value: object): boolean => 'toJSON' in value && typeof value.toJSON === 'function'

function nameUnwritable(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  if (['undefined', 'function', 'symbol', 'bigint'].includes(typeof value)) return typeof value
  if (typeof value !== 'object' || value === null || hasToJson(value)) return undefined
  if ('asymmetricMatch' in value) return 'an asymmetric matcher'
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return kind === 'Object' || kind === 'Array' ? undefined : kind
}

/**
 * Converts a value to JSON and back, as if it came over HTTP.
 * Errors: invalid_request for a value that JSON would change, or that is nested too deep.
 */
export function toJson(value: unknown, path: readonly PropertyKey[] = []): unknown {
  if (value === undefined && path.length === 0) return undefined
  const loss = runAtOnce(findLoss(value, MAX_DEPTH - path.length))
  if (loss) throw invalidField(formatPath([...path, ...loss.path]), loss.message)
  return JSON.parse(JSON.stringify(value) ?? 'null')
}

/** As `toJson`, in steps. Parts that are JSON already are not copied. */
export function* toJsonInSteps(value: unknown, path: readonly PropertyKey[] = []): Steps<unknown> {
  yield
  const isDivided =
    path.length < MAX_DEPTH && hasMoreValues(value, VALUES) && nameUnwritable(value) === undefined
  if (!isDivided || typeof value !== 'object' || value === null || hasToJson(value))
    return isJson(value) ? value : toJson(value, path)
  const [keys, parts]: [PropertyKey[], unknown[]] = [[], []]
  for (const [key, part] of iterateParts(value)) {
    keys.push(key)
    parts.push(yield* toJsonInSteps(part, [...path, key]))
  }
  return Array.isArray(value) ? parts : Object.fromEntries(keys.map((key, at) => [key, parts[at]]))
}

/** Reports whether converting a value to JSON and back would give the same. */
function isJson(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null)
    return value === null || typeof value === 'string' || typeof value === 'boolean'
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain || levels === 0 || hasToJson(value)) return false
  for (const part of Array.isArray(value) ? value : Object.values(value))
    if (!isJson(part, levels - 1)) return false
  return true
}

/** Longer numbers overflow, or have digits that do not count. */
const MAX_LENGTH = 400

/** Numbers with 16 digits, or with an exponent of three, without their sign. All others are exact. */
const SUSPICIOUS = /(?<![\d.])(?:[\d.]{16,400}(?:[eE][+-]?\d{1,400})?|[\d.]{1,15}[eE][+-]?\d{3,400})/g

/** The text that one step searches, unless a number is longer. Units: characters. */
const PART = 65_536

const NOT_IN_NUMBER = /[^\d.eE+-]/g

/** Finds the first number in JSON that JavaScript would change, such as 9007199254740993 or 1e400. */
export function* findInexactNumber(text: string): Steps<Loss | undefined> {
  // Most texts have none, for which an iterator of matches would take a note 1 µs more.
  if (text.length < PART && text.search(SUSPICIOUS) === -1) return undefined
  let [at, isInString] = [0, false]
  for (let start = 0; start < text.length;) {
    NOT_IN_NUMBER.lastIndex = start + PART
    const end = NOT_IN_NUMBER.exec(text)?.index ?? text.length
    for (const { 0: number, index } of text.slice(start, end).matchAll(SUSPICIOUS)) {
      yield
      if (isExact(number)) continue
      const place = start + index
      for (; at < place; at += 1) {
        if (at % PART === 0) yield
        if (isInString && text.charAt(at) === '\\') at += 1
        else if (text.charAt(at) === '"') isInString = !isInString
      }
      if (isInString) continue
      const sign = text.charAt(place - 1) === '-' ? '-' : ''
      const fact = `must be exact in double precision (got ${sign}${shorten(number)})`
      const advice = 'shorten it, or write it as a string if the field takes one'
      const marked = `${text.slice(0, place)}1e999${text.slice(place + number.length)}`
      return { path: yield* findInfinity(marked), message: `${fact}; ${advice}` }
    }
    start = end
    yield
  }
  return undefined
}

/** Finds the path of the first infinite number in JSON; that of the whole if it has more objects than are parsed. */
function* findInfinity(text: string): Steps<readonly PropertyKey[]> {
  try {
    return (yield* findLoss(yield* parseJsonInSteps(text)))?.path ?? []
  } catch {
    return []
  }
}

function isExact(number: string): boolean {
  const value = Number(number)
  // A text that is not a number is not JSON either.
  if (Number.isNaN(value)) return true
  if (!Number.isFinite(value) || number.length >= MAX_LENGTH) return false
  const text = String(value)
  return text === number || toDecimal(text) === toDecimal(number)
}

/** Writes a number in one way: its digits without zeros around them, and the exponent. */
function toDecimal(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`.replace(/^0*/, '')
  let length = digits.length
  while (digits.charAt(length - 1) === '0') length -= 1
  const power = Number(exponent) - fraction.length + digits.length - length
  return length === 0 ? '0' : `${digits.slice(0, length)}e${power}`
}
