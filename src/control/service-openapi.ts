import * as z from 'zod'

import { type AssumptionId, assumptions } from '../contract/assumptions.ts'
import { choiceNames, type Settings } from '../contract/choices.ts'
import { createPathSchema } from '../contract/paths.ts'
import { problemSchemas } from '../contract/problem-schema.ts'
import { assumed, documented, type Provenance, getProvenance } from '../contract/provenance.ts'
import { findArrayNames } from '../contract/query.ts'
import { problems } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import {
  type Contract,
  listErrorCodes,
  type Operation,
  TOO_MANY_REQUESTS,
  toStatus,
} from '../service/contract.ts'
import type { Endpoint, ReturnKind } from '../service/endpoint.ts'
import { Components, describeTags, publisher } from './openapi-schemas.ts'

export interface Example {
  readonly method: string
  readonly path: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** Values of further parameters, which the answer does not depend on. */
  readonly filters: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly answer?: unknown
}

export type Examples = Readonly<Record<string, Example>>

/**
 * Creates the OpenAPI 3.1 document of the service from the contract.
 * Shape: provenance as `x-provenance`, `x-source` and `x-assumption` on every operation, parameter, schema and property.
 */
export function createOpenApiDocument(
  { operations, settings }: Contract,
  version: string,
  examples: Examples = {},
): object {
  const components = new Components()
  const { schema, mediaType } = problemSchemas[settings.errorFormat]
  const problem = { [mediaType]: { schema: components.add(schema) } }
  const paths: Record<string, JsonObject> = {}
  for (const operation of operations) {
    const described = describeOperation(operation, components, examples[operation.id], settings, problem)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace REST Service',
      version: '1.0.37',
      summary: `As mocked by workspace-sandbox ${version}`,
      description:
        'The reference of the customer list, single customers, signals, automations and single meetings states version 1.0.33; the overview and the list of meetings state 1.0.37. `x-provenance` shows for every operation, parameter, schema and property whether it is documented or assumed.',
      ...publisher,
      'x-assumptions': Object.fromEntries(choiceNames.map((name) => [name, settings[name]])),
    },
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }],
    tags: describeTags(operations.map(({ tag }) => tag)),
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
      schemas: components.describe(),
    },
  }
}

function describeOperation(
  operation: Operation,
  components: Components,
  example: Example | undefined,
  settings: Settings,
  problem: JsonObject,
): JsonObject {
  const provenance: Provenance = { 'x-provenance': 'documented', 'x-source': 'Endpoints' }
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describeResponse(operation),
    tags: [operation.tag],
    ...provenance,
    ...(operation.assumes && { 'x-assumption': operation.assumes }),
    parameters: describeParameters(operation, components, example, settings),
    ...(operation.body && {
      requestBody: {
        required: true,
        content: describeJson(components.add(operation.body), example, 'body'),
      },
    }),
    responses: {
      [operation.status]: {
        description: operation.summary,
        content: describeJson(components.add(responseSchema(operation)), example, 'answer'),
      },
      ...describeErrors(operation, problem, settings),
    },
  }
}

const descriptions: Readonly<Record<ReturnKind, string>> = {
  one: 'Returns one record.',
  list: 'Returns all records as an array.',
  slice: 'Returns a page of records as an array.',
  envelope: 'Returns all records in `items`, and their number.',
  page: 'Returns a page of records in `items`, and the number of matches before pagination.',
}

function describeResponse({ returns, assumes }: Operation): string {
  if (!assumes) return descriptions[returns]
  const { subject, decision } = assumptions[assumes]
  return `${descriptions[returns]} The service's documentation does not show this response, so it is assumed (${assumes}). ${subject}: by default, ${decision}.`
}

/** Creates the schema of a response: a record, or a list in its form. */
export function responseSchema({ shape, assumes, returns }: Endpoint): z.ZodType {
  if (returns === 'one') return shape
  const mark = <T extends z.ZodType>(schema: T): T =>
    assumes ? assumed(schema, assumes) : documented(schema, 'List envelope')
  if (returns === 'list' || returns === 'slice') return mark(z.array(shape))
  return mark(z.object({ items: mark(z.array(shape)), totalCount: mark(z.number()) }))
}

function describeJson(schema: JsonObject, example: Example | undefined, part: 'body' | 'answer'): JsonObject {
  if (example?.[part] === undefined) return { 'application/json': { schema } }
  const summary = `${example.method} ${example.path}`
  return { 'application/json': { schema, examples: { answered: { summary, value: example[part] } } } }
}

function describeErrors(operation: Operation, content: JsonObject, settings: Settings): JsonObject {
  const describe = (description: string, assumption: AssumptionId): JsonObject => {
    return { description, content, 'x-provenance': 'assumed', 'x-assumption': assumption }
  }
  const byStatus = listErrorCodes(operation, settings).map((code) => [
    toStatus(code, settings),
    describe(problems[code].title, 'A-05'),
  ])
  return {
    ...Object.fromEntries(byStatus),
    [TOO_MANY_REQUESTS]: describe('Too many requests', 'A-36'),
    default: describe('Any other error', 'A-05'),
  }
}

function describeParameters(
  { path, query }: Operation,
  components: Components,
  example: Example | undefined,
  { arrayEncoding }: Settings,
): JsonObject[] {
  const arrays = findArrayNames(query)
  const describe = (place: 'path' | 'query', name: string, parameter: z.ZodType): JsonObject => {
    const inner =
      parameter instanceof z.ZodPipe && parameter.out instanceof z.ZodType ? parameter.out : parameter
    const description = inner.description ?? parameter.description
    const schema = components.add(parameter)
    const answered = example?.parameters[name]
    const value = answered ?? example?.filters[name]
    const shown = answered === undefined ? 'filtered' : 'answered'
    return {
      name,
      in: place,
      ...(place === 'path' && { required: true }),
      ...(arrays.has(name) && { style: 'form', explode: arrayEncoding === 'repeat' }),
      ...(description && { description }),
      ...getProvenance(inner),
      schema: value === undefined ? schema : { ...schema, example: value },
      ...(value !== undefined && { examples: { [shown]: { value } } }),
    }
  }
  return [
    ...Object.entries<z.ZodType>(createPathSchema(path).shape).map((entry) => describe('path', ...entry)),
    ...Object.entries<z.ZodType>(query.shape).map((entry) => describe('query', ...entry)),
  ]
}
