import type { Preview } from '../../../explain/preview.ts'
import { prepare, routes } from '../../client.ts'
import { useRead } from '../../components/use-calls.ts'
import { type AnyRecord, isRecord } from './labels.ts'

/** The largest page, and the service's default one. */
const PAGE = 250
const FIRST_PAGE = 100

/** A list that the service returns to a member. */
export interface ServiceList {
  /** The path with the query, relative to the base URL. */
  readonly path: string
  readonly token: string
  /** Whether to load the pages after the first. */
  readonly hasPages: boolean
}

/** Stored records, whoever may see them. */
export interface StoredList {
  readonly collection: string
  readonly query: Readonly<Record<string, string>>
}

/** The records of a list, as far as they are loaded. */
export interface List {
  /** The response with the first page; undefined for stored records. */
  readonly response?: Preview | undefined
  /** Undefined until loaded, or if the response is an error. */
  readonly items?: readonly AnyRecord[] | undefined
  readonly total: number
  readonly error?: unknown
}

interface Page extends Omit<List, 'total'> {
  /** Undefined if the response has no total. */
  readonly total?: number | undefined
  /** The list, if there are records after the page. */
  readonly more?: ServiceList | StoredList | undefined
}

/** Loads the first pages of a list, up to 850 records. */
export function useList(list: ServiceList | StoredList | undefined): List {
  const first = usePage(list, 0, FIRST_PAGE)
  const second = usePage(first.more, FIRST_PAGE)
  const third = usePage(second.more, FIRST_PAGE + PAGE)
  const fourth = usePage(third.more, FIRST_PAGE + 2 * PAGE)
  const items = first.items && [first, second, third, fourth].flatMap((page) => page.items ?? [])
  return { ...first, items, total: first.total ?? items?.length ?? 0 }
}

/** Loads one page; nothing without a list. */
function usePage(list: ServiceList | StoredList | undefined, offset: number, size = PAGE): Page {
  const isService = list !== undefined && 'path' in list
  const service = useRead(isService ? prepareService(list, offset) : undefined)
  const stored = useRead(list && !isService ? prepareStored(list, offset, size) : undefined)
  const { error } = isService ? service : stored
  const { items, total } = isService ? parseList(service.value?.body) : parseList(stored.value)
  const isLast = !items || (isService && !list.hasPages)
  const hasMore = !isLast && (total === undefined ? items.length === size : offset + items.length < total)
  return { response: service.value, items, total, error, more: hasMore ? list : undefined }
}

/** Prepares the request of a page; that of the first page is as given. */
function prepareService({ path, token }: ServiceList, offset: number) {
  const page = offset === 0 ? '' : `${path.includes('?') ? '&' : '?'}offset=${offset}&limit=${PAGE}`
  return prepare('post', routes.preview, { json: { path: `${path}${page}`, token } })
}

const prepareStored = ({ collection, query }: StoredList, offset: number, limit: number) =>
  prepare('get', routes.data[':collection'], {
    param: { collection },
    query: { ...query, offset: `${offset}`, limit: `${limit}` },
  })

/** Extracts the records and the total from a list; nothing from other bodies. */
function parseList(body: unknown): Page {
  const items: unknown = isRecord(body) ? body['items'] : body
  if (!Array.isArray(items)) return {}
  return { items: items.filter(isRecord), total: isRecord(body) ? Number(body['totalCount']) : undefined }
}
