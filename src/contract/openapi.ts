import * as z from 'zod'

import { problems } from './errors.ts'
import { answerSchema, type Operation, pathSchema } from './operation.ts'
import { assumed, type Provenance, provenanceOf } from './provenance.ts'
import { arrayNames } from './query.ts'

interface JsonObject {
  [key: string]: unknown
}

/** The body of every error. Source: assumption A-05. */
const Problem = assumed(
  z.object({
    type: assumed(z.string(), 'A-05'),
    title: assumed(z.string(), 'A-05'),
    status: assumed(z.int(), 'A-05'),
    detail: assumed(z.string(), 'A-05'),
    code: assumed(z.string(), 'A-05').describe('The name of the problem; clients may branch on it'),
    errors: assumed(
      z
        .array(
          z.object({
            in: assumed(z.enum(['query', 'path', 'header', 'body']), 'A-05'),
            name: assumed(z.string(), 'A-05'),
            message: assumed(z.string(), 'A-05'),
          }),
        )
        .optional(),
      'A-05',
    ).describe('What is wrong, for a 400'),
  }),
  'A-05',
).meta({ id: 'Problem' })

/** Gathers the named schemas that a document refers to. */
class Components {
  readonly schemas: JsonObject = {}

  /** A schema as it stands in the document; named parts become references. */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $defs, properties } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      target: 'draft-2020-12',
      // An answer may grow fields; a request may not.
      override: ({ jsonSchema }) => {
        if (io === 'output') delete jsonSchema.additionalProperties
      },
    })
    for (const [name, definition] of Object.entries($defs ?? {}))
      this.schemas[name] = withReferences(definition)
    const found = withReferences(properties?.['it'])
    return isObject(found) ? found : {}
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, part]) => {
    if (key === 'id' && typeof part === 'string') return []
    if (key === '$ref' && typeof part === 'string')
      return [[key, part.replace('#/$defs/', '#/components/schemas/')]]
    return [[key, withReferences(part)]]
  })
  return Object.fromEntries(entries)
}

/** Writes the marks of what a reference leads to beside it, where it has none of its own: zod leaves out what is the same. */
function withMarks(value: unknown, schemas: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((part) => withMarks(part, schemas))
  if (!isObject(value)) return value
  const { $ref } = value
  const target = typeof $ref === 'string' ? schemas[$ref.replace('#/components/schemas/', '')] : undefined
  const marks = isObject(target) ? Object.entries(target).filter(([key]) => key.startsWith('x-')) : []
  const parts = Object.entries(value).map(([key, part]) => [key, withMarks(part, schemas)] as const)
  return Object.fromEntries([...marks, ...parts])
}

/**
 * The OpenAPI 3.1 document of the service, made from the contract.
 * Shape: provenance as `x-provenance`, `x-source` and `x-assumption` on every operation, parameter, schema and property.
 */
export function openApiDocument(operations: readonly Operation[], version: string): object {
  const components = new Components()
  const problem = { 'application/problem+json': { schema: components.add(Problem, 'output') } }
  const paths: Record<string, JsonObject> = {}
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describedOperation(operation, components, problem)
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
      license: { name: 'MIT', identifier: 'MIT' },
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

function describedOperation(operation: Operation, components: Components, problem: JsonObject): JsonObject {
  const provenance: Provenance = { 'x-provenance': 'documented', 'x-source': 'Endpoints' }
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.tag],
    ...provenance,
    ...(operation.assumes && { 'x-assumption': operation.assumes }),
    parameters: [...pathParameters(operation, components), ...queryParameters(operation, components)],
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: components.add(operation.body, 'input') } },
      },
    }),
    responses: {
      200: {
        description: operation.summary,
        content: { 'application/json': { schema: components.add(answerSchema(operation), 'output') } },
      },
      ...refusals(operation, problem),
    },
  }
}

function refusals(operation: Operation, problem: JsonObject): JsonObject {
  const inOrganization = operation.path.includes('{organizationId}')
  const namesRecord = /\{(?!organizationId)/.test(operation.path)
  const codes = [
    ...(inOrganization ? (['invalid_request'] as const) : []),
    'unauthorized' as const,
    ...(inOrganization ? (['forbidden'] as const) : []),
    ...(namesRecord ? (['not_found'] as const) : []),
    ...(operation.body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
  ]
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title } = problems[code]
      return [
        status,
        { description: title, content: problem, 'x-provenance': 'assumed', 'x-assumption': 'A-05' },
      ]
    }),
  )
}

function pathParameters(operation: Operation, components: Components): JsonObject[] {
  return Object.entries(pathSchema(operation.path).shape).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...parameterSchema(schema, components),
  }))
}

function queryParameters({ query }: Operation, components: Components): JsonObject[] {
  const arrays = arrayNames(query)
  return Object.entries(query.parameters).map(([name, schema]) => {
    return {
      name,
      in: 'query',
      ...(arrays.has(name) && { style: 'form', explode: true }),
      ...parameterSchema(schema, components),
    }
  })
}

function parameterSchema(schema: unknown, components: Components): JsonObject {
  if (!(schema instanceof z.ZodType)) return {}
  const inner = schema instanceof z.ZodPipe && schema.out instanceof z.ZodType ? schema.out : schema
  const { description } = inner.meta() ?? {}
  return {
    ...(description && { description }),
    ...provenanceOf(inner),
    schema: components.add(schema, 'input'),
  }
}
