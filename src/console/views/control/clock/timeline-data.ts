import { useEffect, useState } from 'preact/hooks'

import { read } from '../../../calls.ts'
import { prepare, routes, castResponse } from '../../../client.ts'
import { useRead } from '../../../components/use-calls.ts'
import { session } from '../../../place.ts'

/** The counts of one kind of record by month. */
export interface Series {
  readonly label: string
  readonly counts: ReadonlyMap<Month, number>
}

/** Counts the tenant's records by month, without empty series. */
export function useTimeline(): readonly Series[] {
  return [
    { label: 'meetings', counts: useCounts('meetings', 'startDate') },
    { label: 'signals raised', counts: useCounts('signals', 'raisedDate') },
    { label: 'renewals', counts: useRenewals() },
  ].filter(({ counts }) => counts.size > 0)
}

function useCounts(collection: string, by: string): ReadonlyMap<Month, number> {
  const { value } = useRead(
    prepare('get', routes.data[':collection'].counts, { param: { collection }, query: { by } }),
  )
  return new Map(
    value?.items.flatMap((item) => (typeof item.value === 'string' ? [[item.value, item.count]] : [])),
  )
}

/** The number of customers to read per page, and in total. */
const [PAGE, MOST] = [250, 1_000]

interface Customers {
  readonly items: readonly {
    readonly products: readonly { readonly renewalDate: string | null }[]
  }[]
  readonly totalCount: number
}

/** Counts the renewals of each month when the page opens; empty if there are too many customers. */
function useRenewals(): ReadonlyMap<Month, number> {
  const [counts, setCounts] = useState<ReadonlyMap<Month, number>>(new Map())
  useEffect(() => {
    const controller = new AbortController()
    countRenewals(controller.signal).then(
      (found) => controller.signal.aborted || setCounts(found),
      () => undefined,
    )
    return () => controller.abort()
  }, [session.value])
  return counts
}

async function countRenewals(until: AbortSignal): Promise<Map<Month, number>> {
  const counts = new Map<Month, number>()
  for (let offset = 0; offset < MOST; offset += PAGE) {
    const query = { limit: `${PAGE}`, offset: `${offset}` }
    const call = prepare('get', routes.data[':collection'], { param: { collection: 'customers' }, query })
    // oxlint-disable-next-line no-await-in-loop -- the first page has the total
    const { items, totalCount } = await read(castResponse<Customers>(call), until)
    if (totalCount > MOST) break
    for (const { renewalDate } of items.flatMap(({ products }) => products)) {
      const month = getMonth(renewalDate ?? '')
      if (month !== '') counts.set(month, (counts.get(month) ?? 0) + 1)
    }
    if (offset + PAGE >= totalCount) break
  }
  return counts
}

/** A month as in `2026-03`. */
export type Month = string

/** The most months that a timeline shows. */
const MAX_MONTHS = 60

/** Returns the month of an instant. */
export const getMonth = (instant: string): Month => instant.slice(0, 7)

/** Returns the first instant of a month, in UTC. */
export const getMonthStart = (month: Month): string => `${month}-01T00:00:00.000Z`

/** Returns the position of an instant in its month, from 0 to 1. */
export function getShare(instant: string): number {
  const [from, to] = [getMonthStart(getMonth(instant)), getMonthStart(getNextMonth(getMonth(instant)))].map(
    Date.parse,
  )
  return (Date.parse(instant) - (from ?? 0)) / ((to ?? 1) - (from ?? 0))
}

/** Lists every month from the first to the last, or the latest ones if there are too many. */
export function listMonths(months: readonly Month[]): Month[] {
  const sorted = months.toSorted()
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  const span: Month[] = []
  for (let month = first; month <= last && span.length < 1_200; month = getNextMonth(month)) span.push(month)
  return span.slice(-MAX_MONTHS)
}

function getNextMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}
