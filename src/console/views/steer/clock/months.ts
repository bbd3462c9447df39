/** A month as in `2026-03`. */
export type Month = string

/** How many months a timeline shows at most. */
const MAX_MONTHS = 60

/** The month of an instant. */
export const monthOf = (instant: string): Month => instant.slice(0, 7)

/** Its first moment. Units: an instant in UTC. */
export const beginningOf = (month: Month): string => `${month}-01T00:00:00.000Z`

/** How far an instant is in its month: from 0 up to 1. */
export function shareOf(instant: string): number {
  const [from, to] = [beginningOf(monthOf(instant)), beginningOf(following(monthOf(instant)))].map(Date.parse)
  return (Date.parse(instant) - (from ?? 0)) / ((to ?? 1) - (from ?? 0))
}

/** Every month from the first to the last of some, without gaps; the latest ones where that is too many. */
export function spanOf(months: readonly Month[]): Month[] {
  const sorted = months.toSorted()
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  const span: Month[] = []
  for (let month = first; month <= last && span.length < 1_200; month = following(month)) span.push(month)
  return span.slice(-MAX_MONTHS)
}

function following(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}
