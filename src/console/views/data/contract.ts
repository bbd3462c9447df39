import type { Settings } from '../../../contract/choices.ts'

/** Whether the service's document says something, and what is assumed about it all the same. */
export interface Marks {
  readonly 'x-provenance'?: 'documented' | 'assumed'
  readonly 'x-assumption'?: string
}

/** A JSON schema, as far as the page looks at it. */
export interface Schema extends Marks {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A parameter of an operation. */
export interface Parameter extends Marks {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: Schema
}

interface Described extends Marks {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}

/** The OpenAPI document of the service, as far as the page looks at it. */
export interface ServiceDocument {
  readonly info: { readonly 'x-assumptions': Settings }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** An operation that lists the records of a collection. */
export interface ListOperation {
  readonly id: string
  readonly collection: string
  readonly summary: string
  /** As in `/organizations/{organizationId}/customers`. */
  readonly path: string
  readonly tag: string
  readonly marks: Marks
  /** What the path names besides the organization. */
  readonly pathNames: readonly string[]
  /** Those of the query. Order: as the document has them. */
  readonly parameters: readonly Parameter[]
  /** What one record looks like. */
  readonly item: Schema
  /** The path of the operation that reads one record by itself; undefined where there is none. */
  readonly reader: string | undefined
}

/** Every operation that lists a collection. Order: as the document has them. */
export function listOperations(
  document: ServiceDocument,
  collections: readonly string[],
): readonly ListOperation[] {
  const resolve = resolverOf(document)
  const found = Object.entries(document.paths).map(([path, { get }]) => {
    const collection = get && listedBy(get.operationId, collections)
    const item = get && itemOf(get, resolve)
    if (!get || collection === undefined || !item) return []
    const { operationId: id, summary, tags, parameters } = get
    const reader = Object.keys(document.paths).find(
      (other) => other.startsWith(`${path}/{`) && other.endsWith('}'),
    )
    const operation: ListOperation = {
      id,
      collection,
      summary,
      path,
      tag: tags[0] ?? '',
      marks: get,
      pathNames: namesIn(path).filter((name) => name !== 'organizationId'),
      parameters: parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => ({ ...parameter, schema: resolve(parameter.schema) })),
      item,
      reader,
    }
    return [operation]
  })
  return found.flat()
}

/** The names in a path's braces. */
export const namesIn = (path: string): readonly string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

/** A path with a value for each of its names; undefined where one is missing. */
export function filledPath(
  path: string,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (namesIn(path).some((name) => !values[name])) return undefined
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** The types that a schema allows. */
export function typesOf(schema: Schema): readonly string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf)
  return [schema.type ?? []].flat()
}

/** The collection that an operation lists: the one that its name ends with, as in `listCustomerNotes`. */
function listedBy(operationId: string, collections: readonly string[]): string | undefined {
  if (!operationId.startsWith('list')) return undefined
  const name = operationId.toLowerCase()
  return collections
    .filter((collection) => name.endsWith(collection.toLowerCase()))
    .toSorted((a, b) => b.length - a.length)[0]
}

type Resolve = (schema: Schema) => Schema

/** Puts in place of a reference what it leads to; what stands beside it wins. */
function resolverOf({ components }: ServiceDocument): Resolve {
  return ({ $ref, ...rest }) => ({ ...components.schemas[$ref?.split('/').at(-1) ?? ''], ...rest })
}

/** What a list consists of: an array's items, or those of an envelope. */
function itemOf({ responses }: Described, resolve: Resolve): Schema | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const schema = Object.values(success?.content ?? {})[0]?.schema
  if (!schema) return undefined
  const { items, properties } = resolve(schema)
  const item = items ?? properties?.['items']?.items
  return item && resolve(item)
}
