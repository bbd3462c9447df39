import { isDeepStrictEqual } from 'node:util'

import { expect, it } from 'vitest'

import { responseSchema } from '../../src/contract/operation.ts'
import { endpoints } from '../../src/service/index.ts'
import { chooseSample } from '../reliability/figures.ts'
import { as, crawl, openSandbox, type Page, type Visit } from '../support.ts'

/** The operation that reads a single record of a list, for the lists that have one. */
const singleReads: Readonly<Record<string, string>> = {
  listMembers: 'getMember',
  listSignals: 'getSignal',
  listCustomers: 'getCustomer',
  listCustomerMeetings: 'getCustomerMeeting',
  listAutomations: 'getAutomation',
}

interface Listed {
  readonly id: number
}

const shapes = new Map(endpoints.map((endpoint) => [endpoint.id, responseSchema(endpoint)]))

/** Collects the records that were read one by one, by operation and id. */
function collectRecords(visits: readonly Visit[]): ReadonlyMap<string, object> {
  const single = visits.filter(({ operationId }) => operationId.startsWith('get'))
  return new Map(
    single.map(({ operationId, text }) => {
      const record = JSON.parse(text)
      return [`${operationId} ${record.id}`, record]
    }),
  )
}

for (const seed of chooseSample([9_007_199_254_740_991], [1, 42, 9_007_199_254_740_991])) {
  for (const fixture of ['default', 'empty', 'edge-cases']) {
    it(`with seed ${seed} and fixture ${fixture}, responses fit their shapes and listed records can be read`, async () => {
      const sandbox = await openSandbox({ seed, fixture })
      for (const name of ['mara', 'omar'] as const) {
        const visits = await crawl(as(sandbox, name))
        expect(findMisfits(visits)).toEqual([])
        expect(findUnreadable(visits)).toEqual([])
      }
    })
  }
}

/** Finds responses whose fields differ from their shape, or are in another order. */
function findMisfits(visits: readonly Visit[]): string[] {
  const wrong = visits.filter(({ operationId, text }) => {
    const parsed = shapes.get(operationId)?.parse(JSON.parse(text))
    return JSON.stringify(parsed) !== text
  })
  return wrong.map(({ path }) => path)
}

/** Finds listed records that cannot be read one by one, or read differently. */
function findUnreadable(visits: readonly Visit[]): string[] {
  const records = collectRecords(visits)
  return visits.flatMap(({ operationId, text }) => {
    const single = singleReads[operationId]
    if (single === undefined) return []
    const body: Page<Listed> | readonly Listed[] = JSON.parse(text)
    const items = 'items' in body ? body.items : body
    return items
      .filter(
        (item) => !isDeepStrictEqual(item, pick(records.get(`${single} ${item.id}`), Object.keys(item))),
      )
      .map(({ id }) => `${single} ${id}`)
  })
}

function pick(record: object | undefined, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => names.includes(name)))
}
