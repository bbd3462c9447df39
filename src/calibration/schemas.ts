import * as z from 'zod'

import { type ChoiceName, choices, type Settings } from '../contract/choices.ts'
import { createCodecs, getWireSchema } from '../contract/codecs.ts'
import { choiceNames, defaultSettings } from '../contract/settings.ts'
import { isObject } from '../core/json.ts'
import { getOrCreate } from '../core/maps.ts'

/** Reports whether a key names a field; any other one may be a value, as in an object that is a map. */
export const isFieldName = (key: string): boolean => /^[A-Za-z_$][\w$-]{0,39}$/.test(key)

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

const variants = new WeakMap<Settings, Map<ChoiceName, readonly Settings[]>>()

/** Lists the settings with each alternative of a choice: the same objects each time, because schemas are cached by them. */
export function listVariants(settings: Settings, name: ChoiceName): readonly Settings[] {
  const byName = getOrCreate(variants, settings, () => new Map<ChoiceName, readonly Settings[]>())
  const create = () => choices[name].alternatives.map(({ value }) => ({ ...settings, [name]: value }))
  return getOrCreate(byName, name, create)
}

const wires = new WeakMap<
  Settings,
  { readonly codecs: ReturnType<typeof createCodecs>; readonly byShape: WeakMap<z.ZodType, z.ZodType> }
>()

export function getWire(shape: z.ZodType, settings: Settings): z.ZodType {
  const { codecs, byShape } = getOrCreate(wires, settings, () => ({
    codecs: createCodecs(settings),
    byShape: new WeakMap<z.ZodType, z.ZodType>(),
  }))
  return getOrCreate(byShape, shape, () => unwrap(codecs(shape).schema))
}

function unwrap(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap())
  }
  if (schema instanceof z.ZodCodec) return unwrap(schema.in)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod types inner schemas as those of its core
  return getWireSchema(schema as z.ZodType)
}

function findAt(schema: z.ZodType, [key, ...rest]: readonly PropertyKey[]): z.ZodType | undefined {
  if (key === undefined) return schema
  const inner = unwrap(schema)
  const part: unknown =
    inner instanceof z.ZodArray
      ? inner.element
      : inner instanceof z.ZodObject
        ? inner.shape[String(key)]
        : undefined
  return part instanceof z.ZodType ? findAt(part, rest) : undefined
}

export function listOwnChoices(shape: z.ZodType): readonly ChoiceName[] {
  return getOrCreate(namesByShape, shape, () => choiceNames.filter((name) => isChangedBy(shape, name, [])))
}

const namesByShape = new WeakMap<z.ZodType, readonly ChoiceName[]>()

export function isChangedBy(shape: z.ZodType, name: ChoiceName, path: readonly PropertyKey[]): boolean {
  const [byDefault, ...others] = listVariants(defaultSettings, name).map((settings) =>
    findAt(getWire(shape, settings), path),
  )
  return others.some((schema) => schema !== byDefault)
}

export interface Deviation {
  readonly path: readonly PropertyKey[]
  readonly kind: 'extra' | 'missing' | 'null' | 'word' | 'type'
  readonly value: unknown
}

const MAX_DEVIATIONS = 50

export function listIssues(schema: z.ZodType, value: unknown): readonly Deviation[] {
  const { error } = schema.safeParse(value)
  return (error?.issues ?? []).slice(0, MAX_DEVIATIONS).map(({ path, code }) => {
    const part = path.reduce(readKey, value)
    return { path, kind: classify(code, part), value: part }
  })
}

const readKey = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

function classify(code: string, value: unknown): Deviation['kind'] {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return code === 'invalid_value' && typeof value === 'string' ? 'word' : 'type'
}

export function listExtras(
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): readonly Deviation[] {
  const inner = unwrap(schema)
  if (Array.isArray(value)) {
    const element = inner instanceof z.ZodArray ? unwrap(inner.element) : undefined
    return element ? value.flatMap((part, at) => listExtras(element, part, [...path, at])) : []
  }
  if (!isObject(value) || !(inner instanceof z.ZodObject)) return []
  return Object.entries(value).flatMap(([key, part]): readonly Deviation[] => {
    const field: z.ZodType | undefined = Object.hasOwn(inner.shape, key) ? inner.shape[key] : undefined
    const at = [...path, key]
    return field ? listExtras(field, part, at) : [{ path: at, kind: 'extra', value: part }]
  })
}
