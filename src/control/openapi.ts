import type { RouterRoute } from 'hono/types'
import * as z from 'zod'

import { problemSchemas } from '../contract/problem-schema.ts'
import { problems } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { groupBy } from '../core/maps.ts'
import type { Steps } from '../core/slices.ts'
import { version } from '../core/version.ts'
import { capitalize } from '../core/words.ts'
import { findValidation, places, type Validation } from '../http/validate.ts'
import { Components, describeTags, publisher } from './openapi-schemas.ts'
import { type Description, findDescription } from './route.ts'

export const OpenApiDocument = z.looseObject({ openapi: z.literal('3.1.0'), paths: z.looseObject({}) })

interface DocumentedRoute extends Description {
  readonly method: string
  readonly path: string
  readonly validations: readonly Validation[]
}

const SESSION = { $ref: '#/components/parameters/Session' }
const PROBLEM = { $ref: '#/components/responses/Problem' }

const ofBodies = new Set(['request_timeout', 'payload_too_large', 'unsupported_media_type'])

/** Lists each status by itself: generators of clients do not know `4XX`. */
function listFailures(method: string, hasBody: boolean): JsonObject {
  const failures = Object.entries(problems).filter(([code]) => {
    if (code === 'storage_full') return method !== 'GET'
    return code !== 'method_not_allowed' && (hasBody || !ofBodies.has(code))
  })
  return Object.fromEntries(failures.map(([, { status }]) => [status, PROBLEM]))
}

/**
 * Describes all routes, each in a step, since their schemas are made when they are first used. The servers are those of a
 * request.
 */
export function* createControlDocument(routes: readonly RouterRoute[]): Steps<object> {
  const components = new Components('any')
  const { schema, mediaType } = problemSchemas.problem
  const problem = components.add(schema)
  const documented = listDocumented(routes)
  const tags = chooseTags(documented)
  const paths: Record<string, JsonObject> = {}
  for (const route of documented) {
    const { path, method } = route
    const operation = { tags: [tags.get(path)], ...toOperation(route, components) }
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
    yield
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control plane of workspace-sandbox',
      version,
      description: 'Prepares and inspects the sandbox. The real service has none of these operations.',
      ...publisher,
    },
    servers: [],
    security: [{}, { adminToken: [] }],
    tags: describeTags(tags.values()),
    paths,
    components: {
      securitySchemes: {
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Required if the sandbox has an admin token',
        },
      },
      parameters: {
        Session: {
          name: 'Sandbox-Session',
          in: 'header',
          description:
            'The id of a session; without it, the session that the header `baggage` names as `sandbox-session`, or else the default one',
          schema: { type: 'string' },
        },
      },
      responses: {
        Problem: { description: 'The request failed', content: { [mediaType]: { schema: problem } } },
      },
      schemas: components.describe(),
    },
  }
}

/** Writes the parameters of a route's path as the documents do: `{id}` for `:id`. */
export const toTemplate = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

function listDocumented(routes: readonly RouterRoute[]): DocumentedRoute[] {
  const groups = groupBy(routes, ({ method, path }) => `${method} ${path}`)
  return Array.from(groups).flatMap(([key, steps]) => {
    const [method = '', path = ''] = key.split(' ')
    const [description] = steps.flatMap(({ handler }) => findDescription(handler) ?? [])
    const validations = steps.flatMap(({ handler }) => findValidation(handler) ?? [])
    if (!description) return []
    return [{ ...description, method, path: toTemplate(path), validations }]
  })
}

function chooseTags(routes: readonly DocumentedRoute[]): ReadonlyMap<string, string> {
  const segments = routes.map(({ path }) => /^\/_sandbox\/(\w+)/.exec(path)?.[1] ?? '')
  return new Map(
    routes.map(({ path }, index) => {
      const segment = segments[index] ?? ''
      const isShared = segment !== '' && segments.indexOf(segment) !== segments.lastIndexOf(segment)
      return [path, isShared ? capitalize(segment) : 'Sandbox']
    }),
  )
}

function toOperation(route: DocumentedRoute, components: Components): JsonObject {
  const { operationId, method, summary, response, mediaType, statuses, validations } = route
  const body = validations.find(({ part }) => part === 'json')?.schema
  const example = response?.meta()?.['example']
  const examples = example === undefined ? {} : { examples: { answered: { value: example } } }
  const content = response && { [mediaType]: { schema: components.add(response), ...examples } }
  const success = content
    ? Object.fromEntries(statuses.map((status) => [status, { description: summary, content }]))
    : { 204: { description: summary } }
  return {
    operationId,
    summary,
    description: `${summary}.`,
    parameters: [SESSION, ...validations.flatMap((validation) => toParameters(validation, components))],
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: components.add(body) } },
      },
    }),
    responses: { ...success, ...listFailures(method, body !== undefined) },
  }
}

function toParameters({ part, schema }: Validation, components: Components): object[] {
  if (part === 'json' || !(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).map(([name, field]) => ({
    name,
    in: places[part],
    // A path parameter may throw instead of failing.
    required: part === 'param' || !field.safeParse(undefined).success,
    schema: components.add(field),
  }))
}
