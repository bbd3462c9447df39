import { useEffect, useState } from 'preact/hooks'

import { read, revision } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.ts'
import { formatNumber } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { session } from '../../place.ts'
import { type ListOperation, fillPath } from './contract.ts'
import type { AnyRecord } from './labels.ts'
import { RecordsTable } from './records-table.tsx'
import { parseList } from './service-response.tsx'

/** The largest page of the service. */
const PAGE = 250

/** The number of pages to search at a time. */
const PAGES = 4

export interface CustomerSignalsProps {
  readonly operations: readonly ListOperation[]
  readonly collections: readonly string[]
  readonly member: CastMember
  readonly record: AnyRecord
}

/** Renders the signals of a customer, found by searching all of them: the service has no such filter. */
export function CustomerSignals({ operations, collections, member, record }: CustomerSignalsProps) {
  const list = operations.find(({ collection }) => collection === 'signals')
  const path = list && fillPath(list.path, { organizationId: member.organizationId })
  const [pages, setPages] = useState(PAGES)
  const { found, looked, total, error } = useSearch(path, member.token, record['id'], pages)
  const isAll = looked >= total
  return (
    <section class="card data-response" aria-label="Signals">
      <h2>
        Signals <span class="data-count">{formatNumber(found.length)}</span>
      </h2>
      <p class="hint">
        The service cannot filter signals by customer. These were found in{' '}
        {isAll ? `all ${formatNumber(total)}` : `the first ${formatNumber(looked)} of ${formatNumber(total)}`}{' '}
        that it lists.{' '}
        {!isAll && (
          <button type="button" class="small" onClick={() => setPages(pages + PAGES)}>
            Search the next {formatNumber(PAGE * PAGES)}
          </button>
        )}
      </p>
      <Problem error={error} />
      {found.length > 0 ? (
        <RecordsTable
          collection="signals"
          records={found}
          same={['customerId']}
          source={{ collections, organizationId: member.organizationId }}
          caption="Signals of the customer"
        />
      ) : (
        <p class="empty">No signals for this customer.</p>
      )}
    </section>
  )
}

interface Search {
  readonly found: readonly AnyRecord[]
  /** The number of signals searched, and in total. */
  readonly looked: number
  readonly total: number
  readonly error?: unknown
}

const nothing: Search = { found: [], looked: 0, total: 0 }

/** Searches for a customer's signals page by page. */
function useSearch(path: string | undefined, token: string, customerId: unknown, pages: number): Search {
  const [search, setSearch] = useState(nothing)
  useEffect(() => {
    if (path === undefined) return undefined
    const controller = new AbortController()
    const look = async (): Promise<void> => {
      const found: AnyRecord[] = []
      let { looked, total } = nothing
      for (let page = 0; page < pages && (page === 0 || looked < total); page += 1) {
        const query = new URLSearchParams({ offset: `${looked}`, limit: `${PAGE}` })
        // oxlint-disable-next-line no-await-in-loop -- each page has the total
        const { body } = await read(
          prepare('post', routes.preview, { json: { path: `${path}?${query}`, token } }),
          controller.signal,
        )
        const list = parseList(body)
        if (!list || list.items.length === 0) break
        found.push(...list.items.filter((signal) => signal['customerId'] === customerId))
        looked += list.items.length
        ;({ total } = list)
      }
      setSearch({ found, looked, total })
    }
    look().catch((error: unknown) => controller.signal.aborted || setSearch({ ...nothing, error }))
    return () => controller.abort()
  }, [path, token, customerId, pages, session.value, revision.value])
  return search
}
