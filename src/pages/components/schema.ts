import type { FieldError } from '../../core/errors.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly const?: string | number | boolean | null
  readonly default?: unknown
  readonly description?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly minimum?: number
  readonly maximum?: number
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: Schema
}

interface Message {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Message
  readonly responses: Readonly<Record<string, Message>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export const findSchema = (message: Message | undefined): Schema | undefined =>
  Object.values(message?.content ?? {})[0]?.schema

export const listDescribed = (document: OpenApiDocument | undefined): readonly Operation[] =>
  Object.values(document?.paths ?? {}).flatMap(Object.values<Operation>)

/** Creates a function that resolves a reference, and those of its fields; keywords beside a reference win. */
export function createResolver({ components }: OpenApiDocument): (schema: Schema) => Schema {
  const resolve = ({ $ref, ...rest }: Schema): Schema => ({
    ...components.schemas[$ref?.split('/').at(-1) ?? ''],
    ...rest,
  })
  return (schema) => {
    const { properties, ...whole } = resolve(schema)
    const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, resolve(field)])
    return { ...whole, ...(properties && { properties: Object.fromEntries(fields) }) }
  }
}

export function listTypes(schema: Schema): readonly string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(listTypes)
  return [schema.type ?? []].flat()
}

export function listValues(schema: Schema): readonly string[] {
  const listed = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  return [...listed.map(String), ...(schema.anyOf ?? []).flatMap(listValues)]
}

export function getKind(schema: Schema): 'choice' | 'flag' | 'number' | 'text' | 'list' | 'json' | 'group' {
  const types = listTypes(schema)
  if (schema.properties) return 'group'
  if (schema.enum) return 'choice'
  if (types.includes('boolean')) return 'flag'
  if (types.includes('array')) return isScalar(schema.items) ? 'list' : 'json'
  if (types.includes('string')) return 'text'
  if (types.includes('integer') || types.includes('number')) return 'number'
  return 'json'
}

export const isScalar = (schema: Schema | undefined): boolean =>
  schema !== undefined && !listTypes(schema).some((type) => type === 'object' || type === 'array')

/** Lists the fields of an object that have one of the names; those of a group as in `rateLimit.requests`. */
export function listFields(
  { properties = {} }: Schema = {},
  names: readonly string[] = Object.keys(properties),
): readonly (readonly [string, Schema])[] {
  return names.flatMap((name) => {
    const field = properties[name]
    if (!field) return []
    if (getKind(field) !== 'group') return [[name, field] as const]
    return listFields(field).map(([inner, schema]) => [`${name}.${inner}`, schema] as const)
  })
}

/** The text that was entered for each field, by name; fields of a group as in `rateLimit.requests`. */
export type Draft = Readonly<Record<string, string>>

export function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Converts the texts of a form to a value; text that does not fit stays text, so that the control plane names it.
 * @param cleared the fields whose empty text is a value
 */
export function parseDraft(
  schema: Schema,
  draft: Draft,
  cleared: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const value: Record<string, unknown> = {}
  for (const [name, field] of listFields(schema)) {
    const text = draft[name] ?? ''
    if (text.trim() === '' && !cleared.includes(name)) continue
    const [outer = '', inner] = name.split('.')
    const parsed = parseText(field, text)
    value[outer] = inner === undefined ? parsed : { ...Object(value[outer]), [inner]: parsed }
  }
  return value
}

/** Lists the numbers that are out of their bounds, so that a form is not confirmed in vain. */
export function listOutOfBounds(schema: Schema, value: Readonly<Record<string, unknown>>): FieldError[] {
  return listFields(schema).flatMap(([name, { type, minimum = NaN, maximum = NaN }]) => {
    const number = Number(value[name])
    const isWithin = Number.isInteger(number) && number >= minimum && number <= maximum
    if (value[name] === undefined || type !== 'integer' || Number.isNaN(minimum + maximum) || isWithin)
      return []
    return [{ in: 'body', name, message: `must be a whole number from ${minimum} to ${maximum}` }]
  })
}

/** Converts the text of a field; an empty one that is not for text is null. */
function parseText(schema: Schema, text: string): unknown {
  const types = listTypes(schema)
  const kind = getKind(schema)
  const isText = kind === 'choice' || kind === 'text'
  if (text.trim() === '') return isText ? text : null
  if (kind === 'flag') return text === 'true'
  if (kind === 'list')
    return text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(parseNumber)
  if (!isText || (types.includes('object') && text.trimStart().startsWith('{'))) {
    const parsed = tryJson(text)
    return parsed ? parsed.json : text
  }
  return types.includes('integer') || types.includes('number') ? parseNumber(text) : text
}

const parseNumber = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text))

export function tryJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Converts a name to words, as `Retry after seconds` for `retryAfterSeconds`. */
export function toWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** The units that people type. Order: as in ISO 8601, which has their first letters, those of time after a `T`. */
const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds']

/**
 * Converts a duration as people type it to ISO 8601, as `P30D` for `30 days`; undefined if it is none. ISO 8601 stays.
 * @example
 * parseDuration('1 day 2h') // → 'P1DT2H'
 */
export function parseDuration(text: string): string | undefined {
  const given = text.trim().toLowerCase().replace('+', '')
  if (/^p[\dtymwdhs.,]+$/.test(given)) return given.toUpperCase()
  const found = Array.from(given.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)[\s,]*/gy))
  const counts = new Map(found.map(([, count, word = '']) => [findUnit(word), count]))
  const isWhole = found.map(([part]) => part).join('') === given && given !== ''
  if (!isWhole || counts.has(undefined) || counts.size < found.length) return undefined
  const parts = units.map((unit) => (counts.has(unit) ? `${counts.get(unit)}${unit[0]}` : ''))
  const dates = parts.slice(0, units.indexOf('hours')).join('')
  return `P${dates}T${parts.slice(units.indexOf('hours')).join('')}`.replace(/T$/, '').toUpperCase()
}

/** Finds a unit by a word or its beginning; `m` and `min` are minutes, `mo` and `mon` months. */
function findUnit(word: string): string | undefined {
  const start = word === 'm' ? 'mi' : word.replace(/^(min|sec)s$/, '$1')
  return units.find((unit) => unit.startsWith(start))
}
