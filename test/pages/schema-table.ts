import * as z from 'zod'

import type { Schema } from '../../docs/.vitepress/openapi.ts'
import { splitDescription } from '../../src/core/words.ts'

export function formatTable(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)))
  return [columns, columns.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
}

/** Formats the fields of an object with their types, defaults and meanings. */
export function formatFields(schema: z.ZodObject, isListed = (_name: string): boolean => true): string[] {
  const { properties = {} } = convert(schema)
  const rows = Object.entries(properties)
    .filter(([name]) => isListed(name))
    .map(([name, field]) => {
      if (!field.description) throw new Error(`The schema of ${name} has no description.`)
      const { meaning, byDefault = '–', example } = splitDescription(field.description)
      const text = example === undefined ? meaning : `${meaning} Example: ${example}`
      return [`\`${name}\``, describeType(field), byDefault, text]
    })
  if (rows.length === 0) throw new Error('The schema has no fields.')
  return formatTable(['Field', 'Type', 'Default', 'Meaning'], rows)
}

function convert(schema: z.ZodType): Schema {
  const converted: Schema & { readonly $defs?: Readonly<Record<string, Schema>> } = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
  }) as Schema
  const name = converted.$ref?.replace('#/$defs/', '')
  return (name === undefined ? undefined : converted.$defs?.[name]) ?? converted
}

function describeType(schema: Schema): string {
  const { type, enum: values, items, properties, minItems, maxItems } = schema
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return describeAlternatives(alternatives)
  // Only objects have names.
  if (schema.$ref !== undefined) return 'object'
  if (typeof type === 'object') return describeAlternatives(type.map((one) => ({ ...schema, type: one })))
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (type === 'array') {
    const range = formatRange(minItems, maxItems)
    const list = `list${range && ` of ${range}`}`
    const item = items ? describeType(items) : ''
    return item === 'object' ? `${list}${range ? '' : ' of'} objects` : `${list}: ${item}`
  }
  if (type === 'integer' || type === 'number') return describeNumber(schema)
  if (type === 'boolean') return '`true` or `false`'
  if (type === 'null') return '`null`'
  if (type === 'string') return schema.pattern?.includes('-02-29') ? 'UTC date-time' : 'text'
  if (type === 'object') return describeObject(properties)
  return schema.allOf?.[0] ? describeType(schema.allOf[0]) : 'any JSON'
}

/** Describes alternatives, the single values last. */
function describeAlternatives(schemas: readonly Schema[]): string {
  const values = schemas.flatMap(
    (schema) => schema.enum ?? (schema.const === undefined ? [] : [schema.const]),
  )
  const others = schemas.filter((schema) => schema.enum === undefined && schema.const === undefined)
  const named = values.map((value) => `\`${String(value)}\``).join(', ')
  const parts = [...new Set(others.map(describeType)), ...(named === '' ? [] : [named])]
  return parts.join(', or ')
}

function describeNumber({ type, minimum, exclusiveMinimum, maximum }: Schema): string {
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  const range = formatRange(least, maximum)
  const isOpen = range.endsWith('more') || range.startsWith('up')
  return `${type === 'integer' ? 'whole number' : 'number'}${range && `${isOpen ? ', ' : ' from '}${range}`}`
}

/** Describes an object; one with many fields has a table of its own. */
function describeObject(properties: Schema['properties'] = {}): string {
  const fields = Object.entries(properties)
  if (fields.length === 0 || fields.length > 4) return 'object'
  return `{ ${fields.map(([name, field]) => `\`${name}\`: ${describeType(field)}`).join('; ')} }`
}

function formatRange(least: number | undefined, most: number | undefined): string {
  const isOpen = most === undefined || most === Number.MAX_SAFE_INTEGER
  if (least === undefined || least === -Number.MAX_SAFE_INTEGER) return isOpen ? '' : `up to ${format(most)}`
  if (isOpen) return `${format(least)} or more`
  return `${format(least)} to ${format(most)}`
}

const format = (value: number): string => value.toLocaleString('en-US')
