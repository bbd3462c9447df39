import { readFileSync, writeFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import type { Dataset } from '../../src/store/dataset.ts'
import { getCustomerStatus } from '../../src/store/tables/customers.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { daysLater, openLiving } from './living-support.ts'

const page = 'CONTRIBUTING.md'

const head = [
  '| Month | Customers | New | Gone | Active | Onboarding | Prospects | Churned | ARR | Signals | Closed | Meetings held | Notes |',
  '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
]

/** Returns the instant at the same time of day some months after the dataset's. */
const monthsLater = (months: number): string => new Date(Date.UTC(2026, months, 15, 12)).toISOString()

/** Formats what has happened from one moment to the next. */
function formatMonth(before: Dataset, after: Dataset, [from, to]: readonly [string, string]): string {
  const { customers, signals, meetings, notes } = after.rows
  const isWithin = (instant: string | null): boolean => instant !== null && instant > from && instant <= to
  const count = (status: string) => customers.filter((row) => getCustomerStatus(row) === status).length
  const arr = customers.flatMap(({ products }) => products).reduce((sum, product) => sum + product.arr, 0)
  const cells = [
    to.slice(0, 7),
    customers.length,
    customers.filter(({ id }) => !before.tables.customers.get(id)).length,
    before.rows.customers.filter(({ id }) => !after.tables.customers.get(id)).length,
    ...['active', 'onboarding', 'prospect', 'churned'].map(count),
    `$${(arr / 1e6).toFixed(1)} m`,
    signals.filter(({ createdDate }) => isWithin(createdDate)).length,
    signals.filter(({ closedDate }) => isWithin(closedDate)).length,
    meetings.filter(({ endDate }) => isWithin(endDate)).length,
    notes.filter(({ createdDate }) => isWithin(createdDate)).length,
  ]
  return `| ${cells.join(' | ')} |`
}

it(`${page} shows the next months of the default dataset as they are`, async () => {
  const { moments } = await openLiving(42, 300)
  const rows = Array.from({ length: 6 }, (_, month) => {
    const period = [monthsLater(month), monthsLater(month + 1)] as const
    return formatMonth(moments.at(period[0]), moments.at(period[1]), period)
  })
  const table = `<!-- months -->\n\n${[...head, ...rows].join('\n')}\n\n<!-- /months -->`
  const text = readFileSync(page, 'utf8')
  const current = text.replace(/<!-- months -->[\s\S]*<!-- \/months -->/, () => table)
  if (process.env['TABLES'] === 'write') writeFileSync(page, current)
  expect(readFileSync(page, 'utf8'), 'Run npm run tables.').toBe(current)
})

/** Lists when things happened, by kind. */
function listTimes({ signals, meetings, notes, briefContents, triggerLogs }: Dataset['rows']) {
  return {
    'new signals': signals.map(({ createdDate }) => createdDate),
    'raised signals': signals.flatMap(({ raisedDate }) => raisedDate ?? []),
    'closed signals': signals.flatMap(({ closedDate }) => closedDate ?? []),
    meetings: meetings.map(({ startDate }) => startDate),
    notes: notes.map(({ createdDate }) => createdDate),
    briefs: briefContents.map(({ createdDate }) => createdDate),
    logs: triggerLogs.map(({ createdDate }) => createdDate),
  }
}

/** Counts the times between two days. */
const count = (times: readonly string[], from: number, to: number): number =>
  times.filter((time) => time > daysLater(from) && time <= daysLater(to)).length

it.each(chooseAmount([42], [42, 1, 2026]))(
  'is about as busy after the time of the dataset as before it: seed %i',
  async (seed) => {
    const { dataset, moments } = await openLiving(seed, 300)
    const [before, after] = [listTimes(dataset.rows), listTimes(moments.at(daysLater(150)).rows)]
    for (const [kind, times] of Object.entries(after)) {
      const usual = count(before[kind as keyof typeof before], -150, 0) / 5
      for (const [from, to] of [
        [0, 30],
        [0, 90],
        [90, 150],
      ] as const) {
        const rate = (count(times, from, to) / (to - from)) * 30
        expect(rate, `${kind} a month, days ${from} to ${to}`).toBeGreaterThan(usual * 0.6)
        expect(rate, `${kind} a month, days ${from} to ${to}`).toBeLessThan(usual * 1.6)
      }
    }
  },
)
