import * as z from 'zod'

import { fileSchema } from '../../../seed/fixtures/fixture-file.ts'
import { RELATIVE_TIME } from '../../../seed/fixtures/relative-times.ts'
import { choiceNames, choices } from '../../contract/choices.ts'
import { PartialSettings } from '../../contract/settings.ts'
import { isObject, type JsonObject, parseJson } from '../../core/json.ts'
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
  const { $schema, properties, ...rest } = toJsonSchema(Config.omit({ present: true }))
  const described = describeFields(properties)
  return {
    $schema,
    title: 'Configuration of workspace-sandbox',
    description: 'The content of workspace-sandbox.config.json. Flags and environment variables override it.',
    ...rest,
    properties: {
      $schema: ownSchema,
      ...described,
      assumptions: { ...Object(described['assumptions']), ...assumptionsSchema() },
    },
  }
}

function assumptionsSchema(): JsonObject {
  const described = describeFields(toJsonSchema(PartialSettings)['properties'])
  const fields = choiceNames.map((name) => {
    const values = choices[name].alternatives.map(({ value }): unknown => value)
    const { description } = Object(described[name])
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
const recordTexts = {
  id: 'The id, unique in its table. Example: `900`.',
  organizationId: 'The organization. Default: the first organization. Example: `harbor`.',
  customerId: 'The id of a customer. Example: `900`.',
}

function fixtureSchema(): JsonObject {
  const { $schema, properties, ...rest } = toJsonSchema(fileSchema(false), allowRelativeTime)
  const described = describeFields(properties)
  const tables = tableNames.map((name) => [name, describeTable(described[name], name)])
  return {
    $schema,
    title: 'Fixture of workspace-sandbox',
    description: 'Hand-written records, laid over the generated ones. Missing fields are generated.',
    ...rest,
    properties: { ...described, $schema: ownSchema, ...Object.fromEntries(tables) },
  }
}

function describeTable(table: unknown, name: string): JsonObject {
  const { items, ...rest } = Object(table)
  return {
    ...rest,
    description: `Records of \`${name}\`, each with an id. Missing fields are generated.`,
    items: { ...items, properties: describeFields(items.properties, recordTexts) },
  }
}

const allowRelativeTime: Override = ({ jsonSchema }) => {
  if (jsonSchema.format !== 'date' && jsonSchema.format !== 'date-time') return
  const exact = { ...jsonSchema }
  for (const keyword of ['type', 'format', 'pattern'] as const) delete jsonSchema[keyword]
  const description = 'Relative to now, like now-12d'
  jsonSchema.anyOf = [exact, { type: 'string', pattern: RELATIVE_TIME.source, description }]
}

/** Separates examples from descriptions. @param texts the descriptions of fields that have none */
function describeFields(properties: unknown, texts: Readonly<Record<string, string>> = {}): JsonObject {
  return Object.fromEntries(
    Object.entries(Object(properties)).map(([name, schema]) => {
      if (!isObject(schema)) return [name, schema]
      const { description = texts[name] } = schema
      if (typeof description !== 'string') return [name, schema]
      const { text, example } = readDescription(description)
      // JSON, or a string without quotes.
      const examples = example === undefined ? {} : { examples: [parseJson(example) ?? example] }
      return [name, { ...schema, description: text, ...examples }]
    }),
  )
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
