import { useLayoutEffect, useRef } from 'preact/hooks'

import { prepare, readDocument, routes } from '../../client.ts'
import { useCast } from '../../components/cast.ts'
import { MemberSelect } from '../../components/member-select.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { place } from '../../place.ts'
import { Browse } from './browse.tsx'
import { Changes } from './changes.tsx'
import { listOperations } from './contract.ts'
import { Rail } from './rail.tsx'
import { RecordPage } from './record-page.tsx'

/** Renders the tenant's data as a member sees it, to browse and edit. */
export function DataView() {
  const { member, error } = useCast()
  const { value: document, error: undescribed } = useRead(readDocument)
  const { value: counts, error: uncounted } = useRead(
    member && prepare('get', routes.data, { query: { organizationId: member.organizationId } }),
  )
  const { path } = place.value
  useFocusFallback(path.join('/'))
  if (!document || !counts || !member) {
    return (
      <>
        <h1>Data</h1>
        <Problem error={error ?? undescribed ?? uncounted} />
      </>
    )
  }
  const collections = counts.items.map(({ name }) => name)
  const operations = listOperations(document, collections)
  const [name = 'customers', id] = path
  const operation = operations.find(({ collection }) => collection === name)
  const known = { operations, collections, member }
  return (
    <div class="data">
      <div class="data-side">
        <MemberSelect label="As seen by" isBrief />
        <Rail
          operations={operations}
          counts={new Map(counts.items.map((one) => [one.name, one.totalCount]))}
          current={name}
        />
      </div>
      <div class="data-main">
        {name === 'changes' ? (
          <Changes />
        ) : !operation ? (
          <>
            <h1>Data</h1>
            <p class="empty">No collection is called {name}.</p>
          </>
        ) : id === undefined ? (
          <Browse key={operation.id} {...known} operation={operation} />
        ) : (
          <RecordPage key={`${name} ${id}`} {...known} operation={operation} id={id} />
        )}
      </div>
    </div>
  )
}

/** Moves the focus to the view if the focused element disappears. */
function useFocusFallback(shown: string): void {
  const before = useRef(shown)
  useLayoutEffect(() => {
    if (before.current === shown) return
    before.current = shown
    if (document.activeElement === document.body) document.querySelector('main')?.focus()
  }, [shown])
}
