import * as z from 'zod'

import type { Asked } from './load.ts'
import type { Server } from './servers.ts'

/** Headers of a client; the caller is the first of the cast. */
export const headers = {
  host: 'localhost',
  authorization: 'Bearer sbx_harbor_1',
  accept: 'application/json',
  'user-agent': 'bench',
}

/** Where the first organization's lists are. */
export const home = '/v1/organizations/harbor'

const fields = ['status', 'segment', 'country'] as const

/** The notes of the first customer. */
export const notesPath = `${home}/customers/1/notes`

/** Alternatives by field; none let everything through. */
export type Filter = { readonly [F in (typeof fields)[number]]?: readonly string[] }

/** The customers of a server's first organization, so that each page's length can be told before it is asked for. */
export interface Tenant {
  readonly size: number
  /** One customer. */
  customer(index: number): Asked
  /** A full page of customers; undefined where there are not as many. */
  page(filter: Filter, offset: number, limit: number): Asked | undefined
  /** How many customers a filter lets through. */
  total(filter: Filter): number
  /** Every value of a field. Order: the most frequent first. */
  values(field: keyof Filter): readonly string[]
}

/** The customers of a page. */
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

interface Known {
  readonly id: number
  readonly bytes: number
  readonly status: string
  readonly segment: string
  readonly country: string
}

/** What a server says of its customers. */
export async function readTenant(server: Pick<Server, 'port'>): Promise<Tenant> {
  const known: Known[] = []
  for await (const customers of customerPages(server)) known.push(...customers.map(knownOf))
  return tenantOf(known)
}

/** Every customer of a server, by pages. */
export async function* customerPages(server: Pick<Server, 'port'>): AsyncIterable<readonly Customer[]> {
  for (let [offset, total] = [0, 1]; offset < total;) {
    const { items, totalCount } = Customers.parse(
      JSON.parse(await get(server, `${home}/customers?limit=250&offset=${offset}`)),
    )
    if (items.length === 0) throw new Error(`there are ${offset} customers, not ${totalCount}`)
    yield items
    offset += items.length
    total = totalCount
  }
}

/** The body of a server's answer. Errors: any answer but a 200. */
export async function get({ port }: Pick<Server, 'port'>, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

/** A GET that is ready to be sent. */
export const getRequest = (path: string, length: number): Asked => ({
  path,
  length,
  bytes: `GET ${path} HTTP/1.1\r\n${headLines}\r\n`,
})

/** A POST of JSON that is ready to be sent. */
export const postRequest = (path: string, body: string, length: number): Asked => ({
  path,
  length,
  bytes: `POST ${path} HTTP/1.1\r\n${headLines}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
})

const headLines = Object.entries(headers)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

function knownOf(customer: Customer): Known {
  const { id, segment, country, products } = customer
  const status =
    ['active', 'onboarding', 'churned'].find((name) => products.some((product) => product.status === name)) ??
    'prospect'
  return { id, segment, country, status, bytes: Buffer.byteLength(JSON.stringify(customer)) }
}

function tenantOf(known: readonly Known[]): Tenant {
  /** By filter: the bytes of the first 0, 1, 2 … customers that it lets through. */
  const sums = new Map<string, readonly number[]>()
  const sumsOf = (filter: Filter): readonly number[] => {
    const key = queryOf(filter)
    const there = sums.get(key) ?? sumsOver(known.filter((customer) => meets(customer, filter)))
    sums.set(key, there)
    return there
  }
  const total = (filter: Filter): number => sumsOf(filter).length - 1
  return {
    size: known.length,
    total,
    customer: (index) => {
      const { id, bytes } = known[index] ?? { id: 0, bytes: 0 }
      return getRequest(`${home}/customers/${id}`, bytes)
    },
    page: (filter, offset, limit) => {
      const [before, after] = [sumsOf(filter)[offset], sumsOf(filter)[offset + limit]]
      if (before === undefined || after === undefined) return undefined
      const envelope = `{"items":[],"totalCount":${total(filter)}}`.length + limit - 1
      const path = `${home}/customers?${queryOf(filter)}offset=${offset}&limit=${limit}`
      return getRequest(path, envelope + after - before)
    },
    values: (field) => {
      const counts = new Map<string, number>()
      for (const { [field]: value } of known) counts.set(value, (counts.get(value) ?? 0) + 1)
      return [...counts].toSorted(([, a], [, b]) => b - a).map(([value]) => value)
    },
  }
}

function sumsOver(customers: readonly Known[]): readonly number[] {
  let sum = 0
  return [0, ...customers.map(({ bytes }) => (sum += bytes))]
}

function meets(customer: Known, filter: Filter): boolean {
  return fields.every((field) => {
    const values = filter[field] ?? []
    return values.length === 0 || values.includes(customer[field])
  })
}

/** The query of a filter, with an ampersand after each parameter. */
const queryOf = (filter: Filter): string =>
  fields
    .flatMap((field) => (filter[field] ?? []).map((value) => `${field}=${encodeURIComponent(value)}&`))
    .join('')
