import * as z from 'zod'

import { isObject } from '../../core/json.ts'
import { asSentence, capitalize } from '../../core/words.ts'
import type { FieldText, FieldTexts } from './texts.ts'

/** The parts of a description such as `The id. Default: none. Example: 7.` */
export interface Description {
  readonly meaning: string | undefined
  readonly byDefault: string | undefined
  /** A value, as JSON or as plain text in a schema, and as TypeScript in `texts.ts`. */
  readonly example: string | undefined
}

export function splitDescription(text: string): Description & { readonly meaning: string } {
  const [head, example] = splitAt(text, ' Example: ')
  const [meaning, byDefault] = splitAt(head, ' Default: ')
  return { meaning, byDefault: withoutPeriod(byDefault), example: withoutPeriod(example) }
}

function splitAt(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + mark.length)]
}

const withoutPeriod = (text: string | undefined): string | undefined =>
  text?.endsWith('.') ? text.slice(0, -1) : text

export function describeField(property: unknown, text: FieldText | undefined): Description {
  const described = isObject(property) ? property['description'] : undefined
  const parts = typeof described === 'string' ? splitDescription(described) : undefined
  return {
    meaning: parts?.meaning ?? text?.description,
    byDefault: parts?.byDefault ?? text?.default,
    example: text?.example ?? (parts?.example === undefined ? undefined : toExpression(parts.example)),
  }
}

function toExpression(example: string): string {
  const [, quoted = example] = example.split('`')
  try {
    return toLiteral(JSON.parse(quoted))
  } catch {
    return toLiteral(quoted)
  }
}

function toLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, one]) => {
    const isName = /^\w+$/.test(key)
    return `${isName ? key : `'${key}'`}: ${toLiteral(one)}`
  })
  return `{ ${entries.join(', ')} }`
}

export interface Field {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly doc: string
}

export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'input'): Record<string, unknown> {
  const { $defs, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  const resolved = resolveReferences(rest, { ...$defs })
  return isObject(resolved) ? { ...resolved } : {}
}

function resolveReferences(value: unknown, parts: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((one) => resolveReferences(one, parts))
  if (!isObject(value)) return value
  const { $ref, ...rest } = value
  const properties = Object.fromEntries(
    Object.entries(rest).map(([name, one]) => [name, resolveReferences(one, parts)]),
  )
  if (typeof $ref !== 'string') return properties
  const part = resolveReferences(parts[$ref.replace('#/$defs/', '')], parts)
  return isObject(part) ? { ...part, ...properties } : properties
}

/** Lists the fields of an object schema, with their documentation. @throws Error for a field without one */
export function listFields(
  owner: string,
  schema: z.ZodObject,
  texts: FieldTexts,
  io: 'input' | 'output' = 'input',
): Field[] {
  const json = toJsonSchema(schema, io)
  const required = Array.isArray(json['required']) ? json['required'] : []
  return Object.entries(Object(json['properties'])).map(([name, property]) => ({
    name,
    type: texts[name]?.type ?? toType(property, texts),
    isRequired: required.includes(name) && !(isObject(property) && 'default' in property),
    doc: documentField(`${owner}.${name}`, property, texts[name]),
  }))
}

function documentField(name: string, property: unknown, text: FieldText | undefined): string {
  const { meaning, byDefault, example } = describeField(property, text)
  if (meaning === undefined || example === undefined) {
    const missing = meaning === undefined ? 'description' : 'example'
    throw new Error(`${name} has no ${missing}. Add it in src/node/schemas/texts.ts, or in its schema.`)
  }
  const ending = byDefault === undefined ? '' : ` Default: ${byDefault}.`
  return `${asSentence(/^[a-z]+ /.test(meaning) ? capitalize(meaning) : meaning)}${ending}\n@example ${example}`
}

const MAX_COMMENT = 190

function renderComment(doc: string, indent: string): string {
  const lines = doc.split('\n')
  const isParagraph = lines.every((line) => line !== '' && !line.startsWith('- '))
  if (isParagraph && doc.length <= MAX_COMMENT) return `${indent}/** ${lines.join(' ')} */`
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n')
}

export function renderInterface(name: string, doc: string, fields: readonly Field[], heritage = ''): string {
  if (fields.length === 0) {
    const parts = heritage
      .replace(/^extends /, '')
      .trim()
      .split(', ')
    return `${renderComment(doc, '')}\nexport type ${name} = ${parts.join(' & ')}`
  }
  const members = fields.map(
    (field) =>
      `${renderComment(field.doc, '  ')}\n  readonly ${field.name}${field.isRequired ? '' : '?'}: ${field.type}${endType(field)}`,
  )
  return `${renderComment(doc, '')}\nexport interface ${name} ${heritage}{\n${members.join('\n')}\n}`
}

const endType = ({ isRequired, type }: Pick<Field, 'isRequired' | 'type'>): string =>
  isRequired || type === 'unknown' ? '' : ' | undefined'

function toType(schema: unknown, texts?: FieldTexts): string {
  if (!isObject(schema)) return 'unknown'
  const { oneOf, anyOf = oneOf, enum: values, type, items, properties, additionalProperties } = schema
  if ('const' in schema) return toLiteral(schema['const'])
  if (Array.isArray(values)) return values.map(toLiteral).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map((one) => toType(one, texts)).join(' | ')
  if (Array.isArray(type)) return type.map((one) => toType({ ...schema, type: one }, texts)).join(' | ')
  if (type === 'array') return `readonly ${wrap(toType(items, texts))}[]`
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'object' && isObject(properties)) return renderObject(properties, schema['required'], texts)
  if (type === 'object') return `Readonly<Record<string, ${toType(additionalProperties, texts)}>>`
  return typeof type === 'string' ? type : 'unknown'
}

const wrap = (type: string): string => (type.includes('|') ? `(${type})` : type)

function describe(property: unknown): string {
  const { description = '' } = Object(property)
  return String(description).replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').trim()
}

function renderObject(properties: object, required: unknown, texts: FieldTexts | undefined): string {
  const fields = Object.entries(properties).map(([name, property]) => {
    const isRequired = Array.isArray(required) && required.includes(name)
    const type = texts?.[name]?.type ?? toType(property, texts)
    const doc = texts ? documentField(name, property, texts[name]) : describe(property)
    const comment = doc === '' ? '' : `${renderComment(doc, '')}\n`
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    return `${comment}readonly ${key}${isRequired ? '' : '?'}: ${type}${endType({ isRequired, type })}`
  })
  return `{\n${fields.join('\n')}\n}`
}
