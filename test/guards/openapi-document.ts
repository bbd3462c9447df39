import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

import type { Schema } from '../../docs/.vitepress/openapi.ts'
import type { Answering } from '../support.ts'

/** Named examples; a client combines those of the same name. */
export type Examples = Readonly<Record<string, { readonly value: unknown }>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly explode?: boolean
  readonly description?: string
  readonly 'x-provenance'?: string
  readonly schema: Schema
  readonly examples?: Examples
}

export interface Content {
  readonly 'application/json': { readonly schema: Schema; readonly examples?: Examples }
}

export interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content; readonly $ref?: string }>>
}

/** An operation and its place in the document. */
export interface Place extends Operation {
  readonly path: string
  readonly method: string
}

export interface Document {
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Reads the service's document of a sandbox. */
export async function readDocument({ fetch }: Answering): Promise<Document> {
  return (await (await fetch(new Request('http://sandbox/openapi.json'))).json()) as Document
}

/** Returns the first of a parameter's or a body's examples. */
export const getExample = (examples: Examples = {}): unknown => Object.values(examples)[0]?.value

/** Lists the operations of a document with their places. */
export const listOperations = ({ paths }: Document): Place[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  )

/** Resolves a reference to one of the schemas of a document. */
export function resolveSchema({ components }: Document, { $ref, ...rest }: Schema): Schema {
  return { ...components.schemas[$ref?.replace('#/components/schemas/', '') ?? ''], ...rest }
}

/** Finds the parameter that one with a description requires. */
export const findNeeded = ({ description = '' }: Parameter): string | undefined =>
  /must be supplied together with (\w+)/.exec(description)?.[1]

/** Validates a response by an OpenAPI document. Returns the errors, or a message if no such response is described. */
export type ResponseValidator = (
  place: { readonly path: string; readonly method: string },
  answer: { readonly status: number; readonly mediaType: string; readonly body: unknown },
) => unknown

/** Creates a validator of responses from an OpenAPI document. */
export function createResponseValidator(document: Document): ResponseValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'openapi' })
  return ({ path, method }, { status, mediaType, body }) => {
    const responses = document.paths[path]?.[method]?.responses ?? {}
    const key = `${status}` in responses ? `${status}` : `${Math.floor(status / 100)}XX`
    const reference = responses[key]?.$ref
    const place = reference?.slice('#/'.length).split('/') ?? ['paths', path, method, 'responses', key]
    const parts = [...place, 'content', mediaType, 'schema']
    const pointer = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`)
    if (!validate) return `the document describes no ${status} ${mediaType} of ${method} ${path}`
    return validate(body) ? [] : validate.errors
  }
}
