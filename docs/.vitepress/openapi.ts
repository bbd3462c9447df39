import type * as shown from '../../src/pages/components/schema.ts'

/** Whether the service's documentation says it, or which assumption does. */
export interface Provenance {
  readonly 'x-provenance'?: 'documented' | 'assumed'
  readonly 'x-assumption'?: string
}

/** A schema with its keywords besides those that the console reads. */
export interface Schema extends Provenance, shown.Schema {
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly example?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly 'x-assumed-pattern'?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export interface Parameter extends Provenance, shown.Parameter {
  readonly $ref?: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Message {
  readonly description?: string
  readonly content?: Readonly<
    Record<
      string,
      {
        readonly schema?: Schema
        readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
      }
    >
  >
}

export interface Operation extends Provenance {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Message
  readonly responses: Readonly<Record<string, Message>>
}

export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Creates a function that resolves references; keywords beside a reference win. */
export function createResolver({ components }: OpenApiDocument): (schema: Schema) => Schema {
  return ({ $ref, ...rest }) => ({ ...components.schemas[$ref?.split('/').at(-1) ?? ''], ...rest })
}
