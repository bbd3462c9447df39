import * as z from 'zod'

import { assumptions } from './assumptions.ts'
import type { Settings } from './choices.ts'
import { problems } from './errors.ts'
import { Components, type JsonObject, withMarks } from './openapi-schemas.ts'
import { answerSchema, type Operation, pathSchema, type ReturnKind } from './operation.ts'
import { problemSchemas } from './problem-schema.ts'
import { type Provenance, provenanceOf } from './provenance.ts'
import { arrayNames } from './query.ts'

/** What a document is made from. */
interface Described {
  readonly operations: readonly Operation[]
  readonly settings: Settings
}

/** How errors are answered. */
interface Refusal {
  readonly content: JsonObject
  readonly settings: Settings
}

/** A request that the service answered. */
export interface Example {
  readonly method: string
  /** With query, relative to the base address. */
  readonly path: string
  /** The value of each parameter in the path and in the query. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Undefined where there is none. */
  readonly body?: unknown
  readonly answer: unknown
}

/** Examples of operations, by id. */
export type Examples = Readonly<Record<string, Example>>

/**
 * The OpenAPI 3.1 document of the service, made from the contract.
 * Shape: provenance as `x-provenance`, `x-source` and `x-assumption` on every operation, parameter, schema and property.
 */
export function openApiDocument(
  { operations, settings }: Described,
  version: string,
  examples: Examples = {},
): object {
  const components = new Components()
  const { schema, mediaType } = problemSchemas[settings.errorFormat]
  const problem = { content: { [mediaType]: { schema: components.add(schema, 'output') } }, settings }
  const paths: Record<string, JsonObject> = {}
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describedOperation(
      operation,
      components,
      problem,
      examples[operation.id],
    )
  }
  const tags = [...new Set(operations.map((operation) => operation.tag))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace REST Service',
      version: '1.0.37',
      summary: `As workspace-sandbox ${version} imitates it`,
      description:
        'Every operation, parameter, schema and property says in `x-provenance` whether the service documents it or the sandbox assumes it.',
      contact: { name: 'workspace-sandbox' },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-assumptions': settings,
    },
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }],
    tags: tags.map((name) => ({ name, description: `Operations on ${name.toLowerCase()}` })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          'x-provenance': 'documented',
          'x-source': 'Authentication',
        },
      },
      schemas: withMarks(components.schemas, components.schemas),
    },
  }
}

function describedOperation(
  operation: Operation,
  components: Components,
  problem: Refusal,
  example: Example | undefined,
): JsonObject {
  const provenance: Provenance = { 'x-provenance': 'documented', 'x-source': 'Endpoints' }
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: answerText(operation),
    tags: [operation.tag],
    ...provenance,
    ...(operation.assumes && { 'x-assumption': operation.assumes }),
    parameters: [...pathParameters(operation, components), ...queryParameters(operation, components)].map(
      (parameter) => withExample(parameter, example),
    ),
    ...(operation.body && {
      requestBody: {
        required: true,
        content: inJson(components.add(operation.body, 'input'), example, 'body'),
      },
    }),
    responses: {
      [operation.status]: {
        description: operation.summary,
        content: inJson(components.add(answerSchema(operation), 'output'), example, 'answer'),
      },
      ...refusals(operation, problem),
    },
  }
}

const forms: Readonly<Record<ReturnKind, string>> = {
  one: 'Answers one record.',
  list: 'Answers all records as an array.',
  slice: 'Answers a page of the records as an array.',
  envelope: 'Answers all records in `items`, and how many they are.',
  page: 'Answers a page of the records in `items`, and how many match before pagination.',
}

/** The outer form of an answer, and what is assumed about it. */
function answerText({ returns, assumes }: Operation): string {
  if (!assumes) return forms[returns]
  const { subject, decision } = assumptions[assumes]
  return `${forms[returns]} Not shown by the service's document, so assumed (${assumes}): ${subject}; by default ${decision}.`
}

/**
 * A parameter with its value in the example, which has the same name as in the answer.
 * Runners of contracts look for it in one of two places.
 */
function withExample(parameter: Parameter, example: Example | undefined): JsonObject {
  const value = example?.parameters[parameter.name]
  if (value === undefined) return { ...parameter }
  const schema = { ...parameter.schema, example: value }
  return { ...parameter, schema, examples: { answered: { value } } }
}

/** A schema, with what stood there in an example: its summary is the request. */
function inJson(schema: JsonObject, example: Example | undefined, part: 'body' | 'answer'): JsonObject {
  if (!example) return { 'application/json': { schema } }
  const summary = `${example.method} ${example.path}`
  return { 'application/json': { schema, examples: { answered: { summary, value: example[part] } } } }
}

function refusals(operation: Operation, { content, settings }: Refusal): JsonObject {
  const inOrganization = operation.path.includes('{organizationId}')
  const namesRecord = /\{(?!organizationId)/.test(operation.path)
  const { violationStatus, otherOrganization, foreignRecord } = settings
  const isForbidden = otherOrganization === 403 || (namesRecord && foreignRecord === 403)
  const isNotFound = otherOrganization === 404 || namesRecord
  const codes = [
    ...(inOrganization ? (['invalid_request'] as const) : []),
    'unauthorized' as const,
    ...(inOrganization && isForbidden ? (['forbidden'] as const) : []),
    ...(inOrganization && isNotFound ? (['not_found'] as const) : []),
    ...(operation.body ? ofWrites : []),
  ]
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title } = problems[code]
      const marks = { 'x-provenance': 'assumed', 'x-assumption': 'A-05' }
      return [
        code === 'invalid_request' ? violationStatus : status,
        { description: title, content, ...marks },
      ]
    }),
  )
}

/** Errors of operations that write. */
const ofWrites = [
  'payload_too_large',
  'unsupported_media_type',
  'storage_unavailable',
  'storage_full',
] as const

/** A parameter as the document describes it. */
interface Parameter extends JsonObject {
  readonly name: string
  readonly schema: JsonObject
}

function pathParameters(operation: Operation, components: Components): Parameter[] {
  return Object.entries(pathSchema(operation.path).shape).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...parameterSchema(schema, components),
  }))
}

function queryParameters({ query }: Operation, components: Components): Parameter[] {
  const arrays = arrayNames(query)
  return Object.entries(query.parameters).map(([name, schema]) => {
    return {
      name,
      in: 'query',
      ...(arrays.has(name) && { style: 'form', explode: query.separator === undefined }),
      ...parameterSchema(schema, components),
    }
  })
}

function parameterSchema(schema: unknown, components: Components): Pick<Parameter, 'schema'> {
  if (!(schema instanceof z.ZodType)) return { schema: {} }
  const inner = schema instanceof z.ZodPipe && schema.out instanceof z.ZodType ? schema.out : schema
  const { description } = inner.meta() ?? {}
  return {
    ...(description && { description }),
    ...provenanceOf(inner),
    schema: components.add(schema, 'input'),
  }
}
