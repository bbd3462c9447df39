import { isDeepStrictEqual } from 'node:util'

import { expect, test } from 'vitest'

import { answerSchema } from '../../src/contract/operation.ts'
import { endpoints } from '../../src/resources/index.ts'
import { as, crawl, openSandbox, type Page, type Visit } from '../support.ts'

/** Which single read gives the records of a list; the other lists have none. */
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

const shapes = new Map(endpoints.map((endpoint) => [endpoint.id, answerSchema(endpoint)]))

/** What the single reads answered, by operation and id. */
function recordsOf(visits: readonly Visit[]): ReadonlyMap<string, object> {
  const single = visits.filter(({ operationId }) => operationId.startsWith('get'))
  return new Map(
    single.map(({ operationId, text }) => {
      const record = JSON.parse(text)
      return [`${operationId} ${record.id}`, record]
    }),
  )
}

for (const seed of [1, 42, 9_007_199_254_740_991]) {
  for (const fixture of ['default', 'empty', 'edge-cases']) {
    test(`over seed ${seed} and fixture ${fixture} every answer fits, and every listed record can be read`, async () => {
      const sandbox = await openSandbox({ seed, fixture })
      for (const name of ['mara', 'omar'] as const) {
        const visits = await crawl(as(sandbox, name))
        expect(misfits(visits)).toEqual([])
        expect(unreadable(visits)).toEqual([])
      }
    })
  }
}

/** The answers that have other fields than their shape, or in another order. */
function misfits(visits: readonly Visit[]): string[] {
  const wrong = visits.filter(({ operationId, text }) => {
    const parsed = shapes.get(operationId)?.parse(JSON.parse(text))
    return JSON.stringify(parsed) !== text
  })
  return wrong.map(({ path }) => path)
}

/** The listed records whose single read answers something else. */
function unreadable(visits: readonly Visit[]): string[] {
  const records = recordsOf(visits)
  return visits.flatMap(({ operationId, text }) => {
    const single = singleReads[operationId]
    if (single === undefined) return []
    const answer: Page<Listed> | readonly Listed[] = JSON.parse(text)
    const items = 'items' in answer ? answer.items : answer
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
