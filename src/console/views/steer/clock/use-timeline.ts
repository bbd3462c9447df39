import type { Counts } from '../../../../control/data/data.ts'
import { useAnswer } from '../../../parts/use-answer.ts'
import type { Month } from './months.ts'
import { useRenewals } from './use-renewals.ts'

/** How much of something is in each month. */
export interface Series {
  readonly label: string
  readonly counts: ReadonlyMap<Month, number>
}

/** What the tenant has by month; nothing that has nothing. */
export function useTimeline(): readonly Series[] {
  return [
    { label: 'meetings', counts: useCounts('meetings', 'startDate') },
    { label: 'signals raised', counts: useCounts('signals', 'raisedDate') },
    { label: 'renewals', counts: useRenewals() },
  ].filter(({ counts }) => counts.size > 0)
}

function useCounts(collection: string, by: string): ReadonlyMap<Month, number> {
  const { value } = useAnswer<Counts>({ path: `/_sandbox/data/${collection}/counts?by=${by}` })
  return new Map(
    value?.items.flatMap((item) => (typeof item.value === 'string' ? [[item.value, item.count]] : [])),
  )
}
