import { useEffect, useState } from 'preact/hooks'

import type { Preview } from '../../../explain/preview.ts'
import { RequestError, read } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { useRead } from '../../components/use-calls.ts'
import { type AnyRecord, isRecord } from './labels.ts'

/** The most records to load. */
const LOADED = 1_000

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

export type ListSource = ServiceList | StoredList

/** The records of a list, as far as they are loaded. */
export interface List {
  /** The response with the first page; undefined for stored records. */
  readonly response: Preview | undefined
  /** Undefined until loaded, or if the response is an error. */
  readonly items: readonly AnyRecord[] | undefined
  readonly total: number
  readonly error: unknown
}

interface Page {
  readonly items: readonly AnyRecord[]
  /** Undefined if the response has no total. */
  readonly total?: number | undefined
}

interface Rest {
  /** The list that the records belong to. */
  readonly of: string
  readonly items: readonly AnyRecord[]
}

/** Loads a list, up to 1,000 records. */
export function useList(source: ListSource | undefined): List {
  const isService = source !== undefined && 'path' in source
  const service = useRead(isService ? prepareService(source, 0) : undefined)
  const stored = useRead(source && !isService ? prepareStored(source, 0) : undefined)
  const first: Page | undefined = isService
    ? service.value && parseList(service.value.body)
    : toPage(stored.value)
  const [rest, setRest] = useState<Rest>()
  const of = JSON.stringify(source)
  useEffect(() => {
    if (!source || !first || !hasMore(source, first, first.items.length)) return undefined
    const controller = new AbortController()
    loadRest(source, first, controller.signal).then(
      (items) => setRest({ of, items }),
      (error: unknown) => {
        if (!controller.signal.aborted && !(error instanceof RequestError)) throw error
      },
    )
    return () => controller.abort()
  }, [of, service.value, stored.value])
  const isMore = source && first && hasMore(source, first, first.items.length)
  const items = first && isMore && rest?.of === of ? [...first.items, ...rest.items] : first?.items
  return {
    response: isService ? service.value : undefined,
    items,
    total: first?.total ?? items?.length ?? 0,
    error: isService ? service.error : stored.error,
  }
}

async function loadRest(source: ListSource, first: Page, until: AbortSignal): Promise<readonly AnyRecord[]> {
  const items: AnyRecord[] = []
  let offset = first.items.length
  while (offset < LOADED) {
    // oxlint-disable-next-line no-await-in-loop -- a page shows whether there is another
    const page = await readPage(source, offset, until)
    items.push(...page.items)
    offset += page.items.length
    if (!hasMore(source, { ...page, total: first.total }, offset)) break
  }
  return items
}

/** Reports whether there are records after a page that ends at an offset. */
function hasMore(source: ListSource, { items, total }: Page, end: number): boolean {
  if (('path' in source && !source.hasPages) || items.length === 0) return false
  return total === undefined ? items.length === PAGE || items.length === FIRST_PAGE : end < total
}

async function readPage(source: ListSource, offset: number, until: AbortSignal): Promise<Page> {
  if (!('path' in source)) return toPage(await read(prepareStored(source, offset), until)) ?? { items: [] }
  return parseList((await read(prepareService(source, offset), until)).body) ?? { items: [] }
}

function prepareService({ path, token }: ServiceList, offset: number) {
  const page = offset === 0 ? '' : `${path.includes('?') ? '&' : '?'}offset=${offset}&limit=${PAGE}`
  return prepare('post', routes.preview, { json: { path: `${path}${page}`, token } })
}

const prepareStored = ({ collection, query }: StoredList, offset: number) =>
  prepare('get', routes.data[':collection'], {
    param: { collection },
    query: { ...query, offset: `${offset}`, limit: `${PAGE}` },
  })

interface Stored {
  readonly items: readonly AnyRecord[]
  readonly totalCount: number
}

const toPage = (stored: Stored | undefined): Page | undefined =>
  stored && { items: stored.items, total: stored.totalCount }

/** Extracts the records and the total from a list response; undefined for other bodies. */
function parseList(body: unknown): Page | undefined {
  const items: unknown = isRecord(body) ? body['items'] : body
  if (!Array.isArray(items)) return undefined
  return { items: items.filter(isRecord), total: isRecord(body) ? Number(body['totalCount']) : undefined }
}
