import { useEffect, useState } from 'preact/hooks'

import { read } from '../../../calls.ts'
import { session } from '../../../place.ts'
import { type Month, monthOf } from './months.ts'

/** How many customers are read at once, and how many are looked at at most. */
const [PAGE, MOST] = [250, 1_000]

interface Customers {
  readonly items: readonly {
    readonly products: readonly { readonly renewalDate: string | null }[]
  }[]
  readonly totalCount: number
}

/** How many products renew in each month, as of when the page was opened; none where there are too many customers. */
export function useRenewals(): ReadonlyMap<Month, number> {
  const [counts, setCounts] = useState<ReadonlyMap<Month, number>>(new Map())
  useEffect(() => {
    const over = new AbortController()
    counted(over.signal).then(
      (found) => over.signal.aborted || setCounts(found),
      () => undefined,
    )
    return () => over.abort()
  }, [session.value])
  return counts
}

async function counted(until: AbortSignal): Promise<Map<Month, number>> {
  const counts = new Map<Month, number>()
  for (let offset = 0; offset < MOST; offset += PAGE) {
    const path = `/_sandbox/data/customers?limit=${PAGE}&offset=${offset}`
    // oxlint-disable-next-line no-await-in-loop -- the first page tells whether there are others
    const { items, totalCount } = await read<Customers>(path, until)
    if (totalCount > MOST) break
    for (const { renewalDate } of items.flatMap(({ products }) => products)) {
      const month = monthOf(renewalDate ?? '')
      if (month !== '') counts.set(month, (counts.get(month) ?? 0) + 1)
    }
    if (offset + PAGE >= totalCount) break
  }
  return counts
}
