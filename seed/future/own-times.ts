import { isWorkingDay, toLocalTime, type Period, type Workplace } from '../calendar/calendar.ts'
import { DAY, HOUR, MINUTE, startOfDay } from '../calendar/time.ts'
import { canMeet, findWorkplace, isInReach } from '../people/offices.ts'

const BLOCKS = 24

/** The customers among whom the working days of a member are divided, block by block: a prime, so that hours vary. */
export const SHARED_BY = 101

/** Counts the working days from the first Monday before 1970 to a day; a weekend has the count of the Monday after it. */
function countWorkingDays(timeMs: number): number {
  const day = Math.floor(timeMs / DAY) + 3
  return Math.floor(day / 7) * 5 + Math.min(day % 7, 5)
}

const toTime = (block: number): number => {
  const workingDay = Math.floor(block / BLOCKS)
  return (Math.floor(workingDay / 5) * 7 + (workingDay % 5) - 3) * DAY + (block % BLOCKS) * HOUR
}

/**
 * Lists the times at which a member can meet the customer of a rank among the member's customers. Customers of other
 * ranks have other times, so that a member is not in two meetings at once although customers do not know each other's.
 * Order: ascending.
 */
export function listOwnTimes(
  rank: number,
  member: { readonly id: number },
  workplace: Workplace,
  { fromMs, toMs }: Period,
): number[] {
  const times: number[] = []
  const first = countWorkingDays(fromMs) * BLOCKS
  const skipped = (((rank - first) % SHARED_BY) + SHARED_BY) % SHARED_BY
  for (let block = first + skipped; toTime(block) < toMs; block += SHARED_BY) {
    const startMs = toTime(block) + (member.id % 2) * 30 * MINUTE
    const localMs = toLocalTime(startMs, workplace.timezone)
    const ofDay = localMs - startOfDay(localMs)
    const isNight =
      canMeet(member, workplace.timezone) && !isInReach(startMs, startMs + HOUR, findWorkplace(member))
    const isOpen = ofDay >= 9 * HOUR && ofDay <= 16 * HOUR && isWorkingDay(localMs, workplace.country)
    if (startMs >= fromMs && isOpen && !isNight) times.push(startMs)
  }
  return times
}
