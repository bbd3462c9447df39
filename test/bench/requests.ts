import * as z from 'zod'

import type { PreparedRequest } from './load.ts'
import type { Server } from './servers.ts'
import { createRandom } from './statistics.ts'
import { type Filter, get, getRequest, home, PAGE, type Tenant } from './tenant.ts'

export interface Requests {
  readonly next: () => PreparedRequest
  /** The requests that the bare server knows: the same, or a hundred of the kind if every request is new. */
  readonly ready: readonly PreparedRequest[]
}

export function repeated(ready: readonly PreparedRequest[]): Requests {
  let index = 0
  const next = (): PreparedRequest => {
    const request = ready[index % ready.length]
    if (!request) throw new Error('there are no requests')
    index += 1
    return request
  }
  return { ready, next }
}

/** Requests a hundred customers by id, spread over the whole list. */
export function customersById(tenant: Tenant): Requests {
  const indexes = Array.from({ length: 100 }, (_, index) => Math.floor((index * tenant.size) / 100))
  return repeated(indexes.map((index) => tenant.customer(index)))
}

export const onePage = (tenant: Tenant): Requests =>
  repeated([pageAt(tenant, {}, Math.floor((tenant.size - PAGE) / 2))])

export function walk(tenant: Tenant): Requests {
  const pages = Array.from({ length: Math.floor(tenant.size / PAGE) }, (_, index) => index * PAGE)
  return repeated(pages.map((offset) => pageAt(tenant, {}, offset)))
}

/** Requests one page with two filters, each with its most frequent value. */
export function filteredPage(tenant: Tenant): Requests {
  const [segment = ''] = tenant.values('segment')
  const [country = ''] = tenant.values('country')
  return repeated([pageAt(tenant, { segment: [segment], country: [country] }, 0)])
}

/** Requests one page with two filters so wide that 300 customers fill the page. */
export function widelyFilteredPage(tenant: Tenant): Requests {
  return repeated([pageAt(tenant, { status: ['active'], segment: tenant.values('segment').slice(0, 2) }, 0)])
}

export async function signalsOfMine(server: Server): Promise<Requests> {
  const path = `${home}/signals?scope=mine&limit=${PAGE}`
  const body = await get(server, path)
  const { items } = z.object({ items: z.array(z.unknown()) }).parse(JSON.parse(body))
  if (items.length !== PAGE) throw new Error(`${path} returned ${items.length} signals`)
  return repeated([getRequest(path, Buffer.byteLength(body))])
}

/**
 * Requests each page once: with different filters, another offset, and a limit from 91 to 100.
 * @param countries how many of the most frequent countries to filter by
 * Errors: if there are no pages left.
 */
export function newPages(tenant: Tenant, countries: number): Requests {
  const random = createRandom(1)
  const below = (end: number): number => Math.floor(random() * end)
  const filters = combinations(tenant, countries).filter((filter) => tenant.total(filter) >= PAGE)
  const seen = new Set<string>()
  const next = (): PreparedRequest => {
    for (let attempt = 0; attempt < 1000; attempt += 1) {
      const filter = filters[below(filters.length)] ?? {}
      const limit = PAGE - below(10)
      const request = pageAt(tenant, filter, below(tenant.total(filter) - limit + 1), limit)
      if (seen.has(request.path)) continue
      seen.add(request.path)
      return request
    }
    throw new Error(`every page of ${tenant.size} customers has been requested`)
  }
  return { ready: Array.from({ length: 100 }, next), next }
}

/** Combines at most one status, two segments and two countries. */
function combinations(tenant: Tenant, countryCount: number): Filter[] {
  const segments = upToTwo(tenant.values('segment'))
  const countries = upToTwo(tenant.values('country').slice(0, countryCount))
  const statuses = [[], ...tenant.values('status').map((value) => [value])]
  return statuses.flatMap((status) =>
    segments.flatMap((segment) => countries.map((country) => ({ status, segment, country }))),
  )
}

const upToTwo = (values: readonly string[]): string[][] => [
  [],
  ...values.map((value) => [value]),
  ...values.flatMap((value, index) => values.slice(index + 1).map((other) => [value, other])),
]

function pageAt(tenant: Tenant, filter: Filter, offset: number, limit = PAGE): PreparedRequest {
  const page = tenant.page(filter, offset, limit)
  if (!page) throw new Error(`no page of ${limit} at offset ${offset} matches ${JSON.stringify(filter)}`)
  return page
}
