import { useEffect, useState } from 'preact/hooks'

import type { Preview } from '../../../control/preview.ts'
import { ask, revision } from '../../calls.ts'
import type { CastMember } from '../../parts/cast.ts'
import { numberText } from '../../parts/number.ts'
import { Problem } from '../../parts/problem.tsx'
import { session } from '../../place.ts'
import { filledPath, type ListOperation } from './contract.ts'
import { RecordsTable } from './records-table.tsx'
import { listOf } from './use-service.ts'
import type { AnyRecord } from './words.ts'

/** As many as a page of the service has at most. */
const PAGE = 250

/** How many pages are looked through at a time. */
const PAGES = 4

export interface CustomerSignalsProps {
  readonly operations: readonly ListOperation[]
  readonly collections: readonly string[]
  readonly member: CastMember
  readonly record: AnyRecord
}

/** The signals of a customer, found in the list of all of them: the service has no filter for that. */
export function CustomerSignals({ operations, collections, member, record }: CustomerSignalsProps) {
  const list = operations.find(({ collection }) => collection === 'signals')
  const path = list && filledPath(list.path, { organizationId: member.organizationId })
  const [pages, setPages] = useState(PAGES)
  const { found, looked, total, error } = useSearch(path, member.token, record['id'], pages)
  const isAll = looked >= total
  return (
    <section class="card data-answer" aria-label="Signals">
      <h2>
        Signals <span class="data-count">{numberText(found.length)}</span>
      </h2>
      <p class="hint">
        The service cannot filter signals by customer: these are among the {isAll ? '' : 'first '}
        {numberText(looked)}
        {isAll ? '' : ` of ${numberText(total)}`} that it lists.{' '}
        {!isAll && (
          <button type="button" class="small" onClick={() => setPages(pages + PAGES)}>
            Look through the next {numberText(PAGE * PAGES)}
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
        <p class="empty">None of them is this customer’s.</p>
      )}
    </section>
  )
}

interface Search {
  readonly found: readonly AnyRecord[]
  /** How many signals were looked at, and how many there are. */
  readonly looked: number
  readonly total: number
  readonly error?: unknown
}

const nothing: Search = { found: [], looked: 0, total: 0 }

/** Looks for a customer's signals page by page. */
function useSearch(path: string | undefined, token: string, customerId: unknown, pages: number): Search {
  const [search, setSearch] = useState(nothing)
  useEffect(() => {
    if (path === undefined) return undefined
    const over = new AbortController()
    const look = async (): Promise<void> => {
      const found: AnyRecord[] = []
      let { looked, total } = nothing
      for (let page = 0; page < pages && (page === 0 || looked < total); page += 1) {
        const query = new URLSearchParams({ offset: `${looked}`, limit: `${PAGE}` })
        // oxlint-disable-next-line no-await-in-loop -- whether there is a next page, the one before tells
        const { body } = await ask<Preview>(
          '/_sandbox/preview',
          { path: `${path}?${query}`, token },
          over.signal,
        )
        const list = listOf(body)
        if (!list || list.items.length === 0) break
        found.push(...list.items.filter((signal) => signal['customerId'] === customerId))
        looked += list.items.length
        ;({ total } = list)
      }
      setSearch({ found, looked, total })
    }
    look().catch((error: unknown) => over.signal.aborted || setSearch({ ...nothing, error }))
    return () => over.abort()
  }, [path, token, customerId, pages, session.value, revision.value])
  return search
}
