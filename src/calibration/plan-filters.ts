import { choices } from '../contract/choices.ts'
import type { OperationId } from '../resources/index.ts'
import type { Step } from './plan-step.ts'
import type { Seen } from './seen.ts'
import { NO_STATUS } from './words.ts'

/** The largest page. Source: Limits. */
export const PAGE = 250

/** Sends one word of each alternative, and one that no service has. */
export function statuses(operation: OperationId, name: 'signalStatuses' | 'customerStatuses'): Step {
  const words = choices[name].alternatives.map(({ value }) => Object.values(value)[0] ?? '')
  const all = [...words, NO_STATUS]
  return {
    operation,
    query: `status=${words.join('|')}|${NO_STATUS}&limit=1`,
    most: all.length,
    choose: () => all.map((word) => ({ query: `status=${word}&limit=1` })),
  }
}

/** Lists the countries of customers that are whole words, the rarest first. */
function listCountries(seen: Seen): readonly string[] {
  const counts = new Map<string, number>()
  for (const { country } of seen.list('listCustomers')) {
    if (typeof country !== 'string' || country.includes(',') || !/[A-Za-z]/.test(country)) continue
    counts.set(country, (counts.get(country) ?? 0) + 1)
  }
  return [...counts].toSorted((a, b) => a[1] - b[1]).map(([country]) => country)
}

const swapCase = (text: string): string =>
  text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase()

export const inOtherCase: Step = {
  operation: 'listCustomers',
  query: 'country={a known one in other case}&limit=250',
  most: 1,
  choose: (seen) =>
    listCountries(seen).map((country) => ({
      query: `country=${encodeURIComponent(swapCase(country))}&limit=${PAGE}`,
    })),
}

export const withComma: Step = {
  operation: 'listCustomers',
  query: 'country={two known ones with a comma}&limit=250',
  most: 1,
  choose: (seen) => {
    const [first, second] = listCountries(seen)
    return second === undefined
      ? []
      : [{ query: `country=${encodeURIComponent(`${first},${second}`)}&limit=${PAGE}` }]
  },
}

/** Filters by a known instant, and by one between it and the next millisecond. */
export const updatedSince: Step = {
  operation: 'listCustomers',
  query: 'updatedSince={the latest change, and 0.9 ms later}&limit=250',
  most: 2,
  choose: (seen) => {
    const instants = seen
      .list('listCustomers')
      .flatMap(({ updatedDate }) => toMilliseconds(updatedDate) ?? [])
    const latest = instants.toSorted().at(-1)
    return latest === undefined
      ? []
      : [latest, beyond(latest)].map((instant) => ({ query: `updatedSince=${instant}&limit=${PAGE}` }))
  },
}

/** Also finds the digits that an answer's format cuts, since most meetings start at whole minutes. */
export const minStartDate: Step = {
  operation: 'listCustomerMeetings',
  query: 'minStartDate={a known start, 1 ms later, and 0.9 ms later}&limit=250',
  most: 3,
  choose: (seen) => {
    const meetings = seen.list('listCustomerMeetings').flatMap(({ customerId, startDate }) => {
      const start = typeof startDate === 'string' ? Date.parse(startDate) : Number.NaN
      return Number.isNaN(start) ? [] : [{ customerId: Number(customerId), start }]
    })
    const [last] = meetings.toSorted((a, b) => b.start - a.start)
    if (!last) return []
    const start = new Date(last.start).toISOString()
    const instants = [start, new Date(last.start + 1).toISOString(), beyond(start)]
    return instants.map((instant) => ({
      parameters: { customerId: last.customerId },
      query: `minStartDate=${instant}&limit=${PAGE}`,
    }))
  },
}

/** Converts an instant to UTC; undefined if it has no milliseconds. */
function toMilliseconds(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/\.\d{3}(?:Z|[+-]\d\d:\d\d)$/.test(value)) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

const beyond = (instant: string): string => instant.replace('Z', '9Z')
