import type { Answering } from '../support.ts'

/** The JSON Schema of a parameter or a field, as far as the guards read it. */
export interface Schema {
  readonly type?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly example?: unknown
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly 'x-provenance'?: string
  readonly 'x-assumed-pattern'?: string
}

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
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
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
