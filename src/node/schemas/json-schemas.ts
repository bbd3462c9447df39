import * as z from 'zod'

import { fileSchema } from '../../../seed/fixtures/fixture-file.ts'
import { RELATIVE_TIME } from '../../../seed/fixtures/relative-times.ts'
import { choiceNames, choices } from '../../contract/choices.ts'
import { PartialSettings } from '../../contract/settings.ts'
import { type JsonObject, parseJson } from '../../core/json.ts'
import { asSentence, splitDescription } from '../../core/words.ts'
import { tableNames } from '../../store/tables.ts'
import { Config } from '../server/options.ts'

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
  const { $schema, properties, ...rest } = toJsonSchema(Config.omit({ present: true }), separateExample)
  const { assumptions, ...options } = Object(properties)
  return {
    $schema,
    title: 'Configuration of workspace-sandbox',
    description: 'The content of workspace-sandbox.config.json. Flags and environment variables override it.',
    ...rest,
    properties: {
      $schema: ownSchema,
      ...options,
      assumptions: { ...assumptions, ...assumptionsSchema() },
    },
  }
}

function assumptionsSchema(): JsonObject {
  const settings = Object(toJsonSchema(PartialSettings, separateExample)['properties'])
  const fields = choiceNames.map((name) => {
    const values = choices[name].alternatives.map(({ value }): unknown => value)
    const { description } = settings[name]
    return [name, { description, default: values[0], ...describeValues(values) }] as const
  })
  return { type: 'object', properties: Object.fromEntries(fields), additionalProperties: false }
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

/** The fields of records that the tables do not describe. */
const recordTexts: Readonly<Record<string, JsonObject>> = {
  id: { description: 'The id, unique in its table.', examples: [900] },
  organizationId: { description: 'The organization. Default: the first organization.', examples: ['harbor'] },
  customerId: { description: 'The id of a customer.', examples: [900] },
}

function fixtureSchema(): JsonObject {
  const { $schema, properties, ...rest } = toJsonSchema(fileSchema(false), (node) => {
    allowRelativeTime(node)
    separateExample(node)
  })
  const lists = Object(properties)
  const tables = tableNames.map((name) => [name, describeTable(lists[name], name)])
  return {
    $schema,
    title: 'Fixture of workspace-sandbox',
    description: 'Hand-written records, laid over the generated ones. Missing fields are generated.',
    ...rest,
    properties: { ...lists, $schema: ownSchema, ...Object.fromEntries(tables) },
  }
}

function describeTable(table: unknown, name: string): JsonObject {
  const { items, ...rest } = Object(table)
  const fields = Object.entries<JsonObject>(items.properties)
  const described = fields.map(([field, schema]) => [field, { ...recordTexts[field], ...schema }])
  return {
    ...rest,
    description: `Records of \`${name}\`, each with an id. Missing fields are generated.`,
    items: { ...items, properties: Object.fromEntries(described) },
  }
}

const allowRelativeTime: Override = ({ jsonSchema }) => {
  if (jsonSchema.format !== 'date' && jsonSchema.format !== 'date-time') return
  const exact = { ...jsonSchema }
  for (const keyword of ['type', 'format', 'pattern'] as const) delete jsonSchema[keyword]
  const description = 'Relative to now, like now-12d'
  jsonSchema.anyOf = [exact, { type: 'string', pattern: RELATIVE_TIME.source, description }]
}

const separateExample: Override = ({ jsonSchema }) => {
  if (jsonSchema.description === undefined) return
  const { text, example } = readDescription(jsonSchema.description)
  jsonSchema.description = text
  // JSON, or a string without quotes.
  if (example !== undefined) jsonSchema.examples = [parseJson(example) ?? example]
}

/** Reads the sentences of a description, and the first value of its example. */
export function readDescription(description: string) {
  const { meaning, byDefault, example } = splitDescription(description)
  const ending = byDefault === undefined ? '' : ` Default: ${byDefault}.`
  return { text: `${asSentence(meaning)}${ending}`, example: example?.split('`')[1] }
}

/** The texts of schemas without their ids, by which a schema would refer to them. */
const metadata = z.registry<z.GlobalMeta>()
metadata.get = (schema) => {
  const { id: _, ...texts } = z.globalRegistry.get(schema) ?? {}
  return texts
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>

/** Converts a schema to a JSON Schema without references. */
export const toJsonSchema = (schema: z.ZodType, override: Override = () => {}): Record<string, unknown> =>
  z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any', metadata, override })
