import { prepare, readDocument, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.tsx'
import {
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Schema,
  createResolver,
} from '../../components/schema.ts'
import { useRead } from '../../components/use-calls.ts'
import type { AnyRecord } from './labels.ts'

export interface ListOperation {
  readonly id: string
  readonly collection: string
  /** As in `/organizations/{organizationId}/customers`. */
  readonly path: string
  readonly pathNames: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly item: Schema
  /** The path of the operation that reads a single record; undefined if no operation does. */
  readonly reader: string | undefined
}

export interface RecordProps {
  readonly operation: ListOperation
  readonly operations: readonly ListOperation[]
  readonly member: CastMember
  readonly record: AnyRecord
}

/** Lists the operations that list records; none until they are loaded. */
export function useOperations(): readonly ListOperation[] {
  const document = useRead(readDocument).value
  const names = useRead(prepare('get', routes.data, { query: {} })).value?.items.map(({ name }) => name)
  return document && names ? listOperations(document, names) : []
}

function listOperations(document: OpenApiDocument, collections: readonly string[]): readonly ListOperation[] {
  const resolve = createResolver(document)
  const paths = Object.keys(document.paths)
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const collection = get && findListedCollection(get.operationId, collections)
    const item = get && findItemSchema(get, resolve)
    if (!get || collection === undefined || !item) return []
    return {
      id: get.operationId,
      collection,
      path,
      pathNames: listPathNames(path).filter((name) => name !== 'organizationId'),
      parameters: get.parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => ({ ...parameter, schema: resolve(parameter.schema) })),
      item,
      reader: paths.find((other) => other.startsWith(`${path}/{`) && other.endsWith('}')),
    }
  })
}

export const listPathNames = (path: string): readonly string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

/** Fills in a path's parameters; undefined if one is missing. */
export function fillPath(path: string, values: AnyRecord): string | undefined {
  if (listPathNames(path).some((name) => !values[name])) return undefined
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

/** Finds the collection that an operation lists by the end of its id, as in `listCustomerNotes`. */
function findListedCollection(operationId: string, collections: readonly string[]): string | undefined {
  if (!operationId.startsWith('list')) return undefined
  const name = operationId.toLowerCase()
  const found = collections.filter((collection) => name.endsWith(collection.toLowerCase()))
  return found.toSorted((a, b) => b.length - a.length)[0]
}

function findItemSchema({ responses }: Operation, resolve: (schema: Schema) => Schema): Schema | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const schema = Object.values(success?.content ?? {})[0]?.schema
  if (!schema) return undefined
  const { items, properties } = resolve(schema)
  const item = items ?? properties?.['items']?.items
  const { properties: fields = {}, ...rest } = resolve(item ?? {})
  const resolved = Object.entries(fields).map(([name, field]) => [name, resolve(field)])
  return item && { ...rest, properties: Object.fromEntries(resolved) }
}
