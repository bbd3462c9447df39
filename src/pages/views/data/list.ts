import type { Preview } from '../../../lab/explain/schemas.ts'
import type { Call } from '../../calls.ts'
import { prepare, prepareRecords, routes } from '../../client.ts'
import { useRead } from '../../components/use-calls.ts'
import { param, place } from '../../place.ts'
import { type ListOperation, fillPath } from './contract.ts'
import { type AnyRecord, isRecord } from './labels.ts'

/** The first record of each page that is loaded; the first page is the service's default. */
const offsets = [0, 100, 350, 600, 850]

/** Prepares to read a page of a list; undefined if there is none. */
type Source = (offset: number, limit: number) => Call | undefined

export interface List {
  /** The service's response with the first page; undefined for stored records. */
  readonly response?: Preview | undefined
  readonly items?: readonly AnyRecord[] | undefined
  readonly total: number
  readonly error?: unknown
}

/** Builds the path of the service's operation; undefined if it cannot list what the URL says. */
export function buildPath(
  { path, pathNames, parameters }: ListOperation,
  { organizationId }: { readonly organizationId: string },
): string | undefined {
  const { query } = place.value
  if (query.has('customerId') && !pathNames.includes('customerId')) return undefined
  const address = fillPath(path, { ...Object.fromEntries(query), organizationId })
  const sent = parameters.flatMap(({ name }) => query.getAll(name).map((value) => [name, value]))
  return address && `${address}${sent.length > 0 ? `?${new URLSearchParams(sent)}` : ''}`
}

/** Lists what the service returns to a member; further pages only if the path leaves paging open. */
export function listService({ parameters }: ListOperation, path: string, token: string): Source {
  const isPaged = parameters.some(({ name }) => name === 'limit')
  const hasPages = isPaged && !param('limit') && !param('offset')
  return (offset, limit) => {
    if (offset > 0 && !hasPages) return undefined
    const page = offset === 0 ? '' : `${path.includes('?') ? '&' : '?'}offset=${offset}&limit=${limit}`
    return prepare('post', routes.preview, { json: { path: `${path}${page}`, token } })
  }
}

export function listStored(collection: string, organizationId: string): Source {
  const [customerId, text] = [param('customerId'), param('text')]
  const query = { organizationId, ...(customerId && { customerId }), ...(text && { text }) }
  return (offset, limit) => prepareRecords(collection, { ...query, offset: `${offset}`, limit: `${limit}` })
}

/** Loads the first pages of a list, up to 850 records. */
export function useList(source: Source | undefined): List {
  const first = usePage(source, 0)
  const second = usePage(first.more, 1)
  const third = usePage(second.more, 2)
  const fourth = usePage(third.more, 3)
  const items = first.items && [first, second, third, fourth].flatMap((page) => page.items ?? [])
  return { ...first, items, total: first.total ?? items?.length ?? 0 }
}

function usePage(source: Source | undefined, at: number) {
  const [offset = 0, end = 0] = offsets.slice(at)
  const { value, error } = useRead(source?.(offset, end - offset))
  const response = isPreview(value) ? value : undefined
  const body = response ? response.body : value
  const found: unknown = isRecord(body) ? body['items'] : body
  const items = Array.isArray(found) ? found.filter(isRecord) : undefined
  const total = isRecord(body) && items ? Number(body['totalCount']) : undefined
  const hasMore =
    items && (total === undefined ? items.length === end - offset : offset + items.length < total)
  return { response, items, total, error, more: hasMore ? source : undefined }
}

const isPreview = (value: unknown): value is Preview => isRecord(value) && 'warnings' in value
