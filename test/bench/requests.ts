import * as z from 'zod'

import type { Asked } from './load.ts'
import type { Server } from './servers.ts'
import { numbersFrom } from './statistics.ts'
import { type Filter, get, getRequest, home, PAGE, type Tenant } from './tenant.ts'

/** Requests of one kind. */
export interface Requests {
  /** The next one. */
  readonly next: () => Asked
  /** What the limit has ready: the same requests, or a hundred of the kind where each is a new one. */
  readonly ready: readonly Asked[]
}

/** The same requests over and over. */
export function repeated(ready: readonly Asked[]): Requests {
  let index = 0
  const next = (): Asked => {
    const asked = ready[index % ready.length]
    if (!asked) throw new Error('there is nothing to ask for')
    index += 1
    return asked
  }
  return { ready, next }
}

/** Customers by id, a hundred of them over the whole list. */
export function customersById(tenant: Tenant): Requests {
  const indexes = Array.from({ length: 100 }, (_, index) => Math.floor((index * tenant.size) / 100))
  return repeated(indexes.map((index) => tenant.customer(index)))
}

/** One URL of a page in the middle. */
export const onePage = (tenant: Tenant): Requests =>
  repeated([pageAt(tenant, {}, Math.floor((tenant.size - PAGE) / 2))])

/** Every page from the first to the last. */
export function walk(tenant: Tenant): Requests {
  const pages = Array.from({ length: Math.floor(tenant.size / PAGE) }, (_, index) => index * PAGE)
  return repeated(pages.map((offset) => pageAt(tenant, {}, offset)))
}

/** One URL with two filters of one value each, those that most customers have. */
export function filteredPage(tenant: Tenant): Requests {
  const [segment = ''] = tenant.values('segment')
  const [country = ''] = tenant.values('country')
  return repeated([pageAt(tenant, { segment: [segment], country: [country] }, 0)])
}

/** One URL with two filters that are so wide that 300 customers fill the page. */
export function widelyFilteredPage(tenant: Tenant): Requests {
  return repeated([pageAt(tenant, { status: ['active'], segment: tenant.values('segment').slice(0, 2) }, 0)])
}

/** The signals of the caller's own customers. */
export async function signalsOfMine(server: Server): Promise<Requests> {
  const path = `${home}/signals?scope=mine&limit=${PAGE}`
  const body = await get(server, path)
  const { items } = z.object({ items: z.array(z.unknown()) }).parse(JSON.parse(body))
  if (items.length !== PAGE) throw new Error(`${path} answers ${items.length} signals`)
  return repeated([getRequest(path, Buffer.byteLength(body))])
}

/**
 * Pages whose URL comes once: other filters, another offset and a limit from 91 to 100 each time.
 * @param countries how many there are to filter by, the most frequent
 * Errors: when every such page was asked for.
 */
export function newPages(tenant: Tenant, countries: number): Requests {
  const random = numbersFrom(1)
  const below = (end: number): number => Math.floor(random() * end)
  const filters = combinations(tenant, countries).filter((filter) => tenant.total(filter) >= PAGE)
  const seen = new Set<string>()
  const next = (): Asked => {
    for (let attempt = 0; attempt < 1000; attempt += 1) {
      const filter = filters[below(filters.length)] ?? {}
      const limit = PAGE - below(10)
      const asked = pageAt(tenant, filter, below(tenant.total(filter) - limit + 1), limit)
      if (seen.has(asked.path)) continue
      seen.add(asked.path)
      return asked
    }
    throw new Error(`every page of ${tenant.size} customers has been asked for`)
  }
  return { ready: Array.from({ length: 100 }, next), next }
}

/** At most one status, two segments and two of some countries. */
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

function pageAt(tenant: Tenant, filter: Filter, offset: number, limit = PAGE): Asked {
  const page = tenant.page(filter, offset, limit)
  if (!page) throw new Error(`there is no page of ${limit} at ${offset} of ${JSON.stringify(filter)}`)
  return page
}
