import { fileSchema } from '../../../seed/fixtures/fixture-file.ts'
import { RELATIVE_TIME } from '../../../seed/fixtures/relative-times.ts'
import { assumptions } from '../../contract/assumptions.ts'
import { choiceNames, choices } from '../../contract/choices.ts'
import { isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { asSentence } from '../../core/words.ts'
import { tableNames } from '../../store/tables.ts'
import { Config } from '../server/options.ts'
import { describeField, toJsonSchema } from './interfaces.ts'
import { type FieldTexts, recordTexts, startTexts } from './texts.ts'

const DRAFT = 'http://json-schema.org/draft-07/schema#'

const ownSchema = {
  type: 'string',
  description: 'The JSON Schema of this file, for editors. The sandbox ignores it.',
}

export function generateJsonSchemas(): ReadonlyMap<string, JsonObject> {
  return new Map([
    ['config.schema.json', configSchema()],
    ['fixture.schema.json', fixtureSchema()],
  ])
}

function configSchema(): JsonObject {
  // JSON has no functions.
  const { properties, ...rest } = withoutDraft(toJsonSchema(Config.omit({ present: true })))
  const described = describeFields(properties, startTexts)
  return {
    $schema: DRAFT,
    title: 'Configuration of workspace-sandbox',
    description: 'The content of workspace-sandbox.config.json. Flags and environment variables override it.',
    ...rest,
    properties: {
      $schema: ownSchema,
      ...described,
      assumptions: assumptionsSchema(),
    },
  }
}

function assumptionsSchema(): JsonObject {
  const fields = choiceNames.map((name) => {
    const { assumption, alternatives } = choices[name]
    const { subject, decision } = assumptions[assumption]
    const [first] = alternatives
    const description = `${asSentence(subject)} Default: ${asSentence(decision)} (${assumption})`
    const values = alternatives.map(({ value }): unknown => value)
    return [name, { description, default: first?.value, ...describeValues(values) }] as const
  })
  return {
    type: 'object',
    description: `${startTexts['assumptions']?.description}.`,
    examples: [{ errorFormat: 'message' }],
    properties: Object.fromEntries(fields),
    additionalProperties: false,
  }
}

function describeValues(values: readonly unknown[]): JsonObject {
  const last = values.at(-1)
  if (Array.isArray(last)) {
    const names = {
      type: 'array',
      items: { type: 'string', pattern: String.raw`\S` },
      minItems: last.length,
      maxItems: last.length,
      uniqueItems: true,
    }
    const meanings = {
      type: 'object',
      additionalProperties: { enum: values[0] },
      minProperties: 1,
      maxProperties: 20,
    }
    return { anyOf: [names, meanings], examples: values }
  }
  return { enum: values }
}

function fixtureSchema(): JsonObject {
  const { properties, ...rest } = withoutDraft(toJsonSchema(fileSchema(false)))
  const described = describeFields(properties, {})
  const tables = tableNames.map((name) => [name, describeTable(described[name], name)])
  return {
    $schema: DRAFT,
    title: 'Fixture of workspace-sandbox',
    description: 'Hand-written records, laid over the generated ones. Missing fields are generated.',
    ...rest,
    properties: { ...described, $schema: ownSchema, ...Object.fromEntries(tables) },
  }
}

function describeTable(table: unknown, name: string): JsonObject {
  const { items, ...rest } = Object(table)
  const properties = Object.entries(describeFields(items.properties, recordTexts)).map(([field, schema]) => [
    field,
    allowRelativeTimes(schema, field),
  ])
  return {
    ...rest,
    description: `Records of \`${name}\`, each with an id. Missing fields are generated.`,
    items: { ...items, properties: Object.fromEntries(properties) },
  }
}

function allowRelativeTimes(schema: unknown, name: string): unknown {
  if (Array.isArray(schema)) return schema.map((one) => allowRelativeTimes(one, ''))
  if (!isObject(schema)) return schema
  const relative = {
    type: 'string',
    pattern: RELATIVE_TIME.source,
    description: 'Relative to now, like now-12d',
  }
  if (name.endsWith('Date')) return { anyOf: [schema, relative] }
  return Object.fromEntries(
    Object.entries(schema).map(([key, part]) => {
      if (key !== 'properties' || !isObject(part)) return [key, allowRelativeTimes(part, '')]
      const inner = Object.entries(part).map(([field, one]) => [field, allowRelativeTimes(one, field)])
      return [key, Object.fromEntries(inner)]
    }),
  )
}

function describeFields(properties: unknown, texts: FieldTexts): JsonObject {
  return Object.fromEntries(
    Object.entries(Object(properties)).map(([name, schema]) => {
      const { meaning, byDefault, example } = describeField(schema, texts[name])
      if (meaning === undefined || !isObject(schema)) return [name, schema]
      const ending = byDefault === undefined ? '' : ` Default: ${byDefault}.`
      const value = example === undefined ? undefined : readExample(example)
      const description = `${asSentence(meaning)}${ending}`
      return [name, { ...schema, description, ...(value !== undefined && { examples: [value] }) }]
    }),
  )
}

function readExample(text: string): unknown {
  const keys = text.replaceAll(/([{,] *)(\w+):/g, '$1"$2":').replaceAll(/(\d)_(\d)/g, '$1$2')
  return parseJson(keys.replaceAll("'", '"'))
}

function withoutDraft(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'))
}
