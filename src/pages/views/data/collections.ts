import { useRead } from '../../calls.ts'
import { readControlDocument, readDocument } from '../../client.ts'
import { formatNumber } from '../../components/format.tsx'
import {
  type OpenApiDocument,
  type Operation,
  type Schema,
  createResolver,
  findSchema,
  listDescribed,
  listValues,
  toWords,
} from '../../components/schema.ts'
import type { CastMember } from '../../components/service.tsx'

export type ListOperation = ReturnType<typeof listOperations>[number]

export interface RecordProps {
  readonly operation: ListOperation
  readonly operations: readonly ListOperation[]
  readonly member: CastMember
  readonly record: AnyRecord
}

/** Lists the operations that list records; none until they are loaded. Order: the most filters first. */
export function useOperations(): readonly ListOperation[] {
  const document = useRead(readDocument).value
  const control = useRead(readControlDocument).value
  const call = listDescribed(control).find(({ operationId }) => operationId === 'listRecords')
  const parameter = call?.parameters?.find(({ name }) => name === 'collection')
  if (!document || !parameter) return []
  const operations = listOperations(document, listValues(parameter.schema))
  return operations.toSorted((a, b) => b.parameters.length - a.parameters.length)
}

function listOperations(document: OpenApiDocument, collections: readonly string[]) {
  const resolve = createResolver(document)
  const paths = Object.keys(document.paths)
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const collection = get && findListedCollection(get.operationId, collections)
    const item = get && findItemSchema(get, resolve)
    if (!get || collection === undefined || !item) return []
    const { paging = [], others = [] } = Object.groupBy(get.parameters ?? [], ({ name }) =>
      name === 'limit' || name === 'offset' ? 'paging' : 'others',
    )
    return {
      id: get.operationId,
      collection,
      /** As in `/organizations/{organizationId}/customers`. */
      path,
      pathNames: listPathNames(path).filter((name) => name !== 'organizationId'),
      isPaged: paging.length > 0,
      /** Those that filter; the page sends those of paging. */
      parameters: others
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => ({ ...parameter, schema: resolve(parameter.schema) })),
      item,
      /** The path of the operation that reads a single record; undefined if no operation does. */
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
  const schema = findSchema(success)
  if (!schema) return undefined
  const { items, properties } = resolve(schema)
  const item = items ?? properties?.['items']?.items
  return item && resolve(item)
}

export const pluralize = (collection: string): string => toWords(collection).toLowerCase()

export const singularize = (collection: string): string =>
  pluralize(collection).replace(/ies$/, 'y').replace(/s$/, '')

export const formatCounts = (counts: Readonly<Partial<Record<string, number>>>): string =>
  Object.entries(counts)
    .map(([name, count = 0]) => `${formatNumber(count)} ${count === 1 ? singularize(name) : pluralize(name)}`)
    .join(', ')

export const countByCollection = (some: readonly { readonly collection: string }[]): Record<string, number> =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(some, ({ collection }) => collection),
      ([name, group]) => [name, group.length],
    ),
  )

export const looks = {
  created: 'tag good',
  changed: 'tag warn',
  deleted: 'tag bad',
} as const

export type AnyRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is AnyRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists the records of a list, with or without an envelope; undefined if the body is no list. */
export function listRecords(body: unknown): readonly AnyRecord[] | undefined {
  const found: unknown = isRecord(body) ? body['items'] : body
  return Array.isArray(found) ? found.filter(isRecord) : undefined
}

/** The length at which a text that serves as a name is cut off. Units: characters. */
const LABEL = 120

/** Returns a record's name, from whichever field holds it; its id if none does. */
export function getLabel(record: AnyRecord): string {
  const { firstName, givenName, lastName, familyName } = record
  const person = [firstName ?? givenName, lastName ?? familyName].filter((part) => typeof part === 'string')
  const named = ['name', 'title', 'label', 'topic', 'summary', 'message', 'content', 'key'].map(
    (field) => record[field],
  )
  const name = named.find((value) => typeof value === 'string' && value !== '') ?? record['id']
  // A part without a name, such as `{ "level": "high" }`.
  const own = name === undefined ? Object.values(record).map(summarize).join(', ') : summarize(name)
  const text = person.join(' ') || own
  return text.length > LABEL ? `${text.slice(0, LABEL)}…` : text
}

/** Formats a value as one line, as in `dashboards: active`, `Account Manager: Priya Nair`, `tier: Silver`. */
export function summarize(value: unknown): string {
  if (Array.isArray(value)) return value.map(summarize).join(', ')
  if (value === undefined) return ''
  if (!isRecord(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const { members, status, externalId } = value
  const detail = members ?? value['value'] ?? externalId ?? status
  const label = getLabel(value)
  return detail === undefined || detail === null ? label : `${label}: ${summarize(detail)}`
}

export const abbreviate = (values: readonly unknown[]): string => {
  const parts = values.flatMap((value) => (isRecord(value) ? (value['members'] ?? value) : value))
  return [...new Set(parts.map((part) => (isRecord(part) ? getLabel(part) : summarize(part))))].join(', ')
}

/** Fields with fewer values than this are likely to have no others. */
const FEW = 9

/** Lists the words that a field of some records has; none if there are many, or values that are no words. */
export function listKnownWords(records: readonly AnyRecord[], field: string): readonly string[] {
  const words = new Set(records.flatMap((record) => record[field] ?? []))
  return words.size < FEW ? [...words].filter((word) => typeof word === 'string') : []
}

/** The collections that fields refer to, by the name of the field, as `customers` by `customerId`. */
export const references: ReadonlyMap<string, string> = new Map([
  ['customerId', 'customers'],
  ['productId', 'products'],
  ['memberId', 'members'],
  ['ownerId', 'members'],
  ['createdById', 'members'],
  ['updatedById', 'members'],
  ['managerId', 'members'],
  ['memberRoleId', 'memberRoles'],
  ['automationId', 'automations'],
  ['parentId', 'automations'],
  ['briefId', 'briefs'],
  ['categoryId', 'noteCategories'],
])
