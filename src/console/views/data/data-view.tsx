import { useEffect, useRef } from 'preact/hooks'

import type { TableName } from '../../../store/tables.ts'
import { useCast } from '../../parts/cast.ts'
import { MemberSelect } from '../../parts/member-select.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { place } from '../../place.ts'
import { Browse } from './browse.tsx'
import { Changes } from './changes.tsx'
import { listOperations, type ServiceDocument } from './contract.ts'
import { MemberTree } from './member-tree.tsx'
import { Rail } from './rail.tsx'
import { RecordPage } from './record-page.tsx'

interface Collections {
  readonly items: readonly { readonly name: TableName; readonly totalCount: number }[]
}

/** What each member sees of the tenant, and how to change it. */
export function DataView() {
  const { member, error } = useCast()
  const { value: document, error: undescribed } = useAnswer<ServiceDocument>({ path: '/openapi.json' })
  const { value: counts, error: uncounted } = useAnswer<Collections>(
    member && {
      path: `/_sandbox/data?${new URLSearchParams({ organizationId: member.organizationId })}`,
    },
  )
  const { path } = place.value
  useFocusThatIsLost(path.join('/'))
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
        {name === 'tree' ? (
          <MemberTree team={document.info['x-assumptions'].team} />
        ) : name === 'changes' ? (
          <Changes />
        ) : !operation ? (
          <>
            <h1>Data</h1>
            <p class="empty">There is no collection {name}.</p>
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

/** Where what had the focus has gone with what was shown before, it goes on from the beginning of the view. */
function useFocusThatIsLost(shown: string): void {
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    if (document.activeElement === document.body) document.querySelector('main')?.focus()
  }, [shown])
}
