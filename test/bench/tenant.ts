import * as z from 'zod'

import type { PreparedRequest } from './load.ts'
import type { Server } from './servers.ts'

export const headers = {
  host: 'localhost',
  authorization: 'Bearer sbx_harbor_1',
  accept: 'application/json',
  'user-agent': 'bench',
}

export const home = '/v1/organizations/harbor'

const fields = ['status', 'segment', 'country'] as const

export const notesPath = `${home}/customers/1/notes`

/** Alternative values by field; a field without values matches everything. */
export type Filter = { readonly [F in (typeof fields)[number]]?: readonly string[] }

/** The customers of a server's first organization, known in advance so that the length of each page is, too. */
export interface Tenant {
  readonly size: number
  customer(index: number): PreparedRequest
  /** Requests a full page of customers; undefined if there are not enough. */
  page(filter: Filter, offset: number, limit: number): PreparedRequest | undefined
  total(filter: Filter): number
  /** Lists every value of a field. Order: the most frequent first. */
  values(field: keyof Filter): readonly string[]
}

export const PAGE = 100

const Customers = z.object({
  items: z.array(
    z.looseObject({
      id: z.int(),
      segment: z.string(),
      country: z.string(),
      products: z.array(z.looseObject({ status: z.string() })),
    }),
  ),
  totalCount: z.int(),
})

type Customer = z.infer<typeof Customers>['items'][number]

interface CustomerSummary {
  readonly id: number
  readonly bytes: number
  readonly status: string
  readonly segment: string
  readonly country: string
}

export async function readTenant(server: Pick<Server, 'port'>): Promise<Tenant> {
  const known: CustomerSummary[] = []
  for await (const customers of customerPages(server)) known.push(...customers.map(summarizeCustomer))
  return createTenant(known)
}

async function* customerPages(server: Pick<Server, 'port'>): AsyncIterable<readonly Customer[]> {
  for (let [offset, total] = [0, 1]; offset < total;) {
    const { items, totalCount } = Customers.parse(
      JSON.parse(await get(server, `${home}/customers?limit=250&offset=${offset}`)),
    )
    if (items.length === 0) throw new Error(`found ${offset} of ${totalCount} customers`)
    yield items
    offset += items.length
    total = totalCount
  }
}

/** Fetches the body of a response. Errors: any status but 200. */
export async function get({ port }: Pick<Server, 'port'>, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

export const getRequest = (path: string, length: number): PreparedRequest => ({
  path,
  length,
  bytes: `GET ${path} HTTP/1.1\r\n${headLines}\r\n`,
})

export const postRequest = (path: string, body: string, length: number): PreparedRequest => ({
  path,
  length,
  bytes: `POST ${path} HTTP/1.1\r\n${headLines}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
})

const headLines = Object.entries(headers)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

function summarizeCustomer(customer: Customer): CustomerSummary {
  const { id, segment, country, products } = customer
  const status =
    ['active', 'onboarding', 'churned'].find((name) => products.some((product) => product.status === name)) ??
    'prospect'
  return { id, segment, country, status, bytes: Buffer.byteLength(JSON.stringify(customer)) }
}

function createTenant(known: readonly CustomerSummary[]): Tenant {
  /** For each filter, the bytes of the first 0, 1, 2 … customers that match. */
  const sums = new Map<string, readonly number[]>()
  const findSums = (filter: Filter): readonly number[] => {
    const key = toQuery(filter)
    const there = sums.get(key) ?? addUp(known.filter((customer) => matches(customer, filter)))
    sums.set(key, there)
    return there
  }
  const total = (filter: Filter): number => findSums(filter).length - 1
  return {
    size: known.length,
    total,
    customer: (index) => {
      const { id, bytes } = known[index] ?? { id: 0, bytes: 0 }
      return getRequest(`${home}/customers/${id}`, bytes)
    },
    page: (filter, offset, limit) => {
      const [before, after] = [findSums(filter)[offset], findSums(filter)[offset + limit]]
      if (before === undefined || after === undefined) return undefined
      const envelope = `{"items":[],"totalCount":${total(filter)}}`.length + limit - 1
      const path = `${home}/customers?${toQuery(filter)}offset=${offset}&limit=${limit}`
      return getRequest(path, envelope + after - before)
    },
    values: (field) => {
      const counts = new Map<string, number>()
      for (const { [field]: value } of known) counts.set(value, (counts.get(value) ?? 0) + 1)
      return [...counts].toSorted(([, a], [, b]) => b - a).map(([value]) => value)
    },
  }
}

function addUp(customers: readonly CustomerSummary[]): readonly number[] {
  let sum = 0
  return [0, ...customers.map(({ bytes }) => (sum += bytes))]
}

function matches(customer: CustomerSummary, filter: Filter): boolean {
  return fields.every((field) => {
    const values = filter[field] ?? []
    return values.length === 0 || values.includes(customer[field])
  })
}

const toQuery = (filter: Filter): string =>
  fields
    .flatMap((field) => (filter[field] ?? []).map((value) => `${field}=${encodeURIComponent(value)}&`))
    .join('')
