import { useState } from 'preact/hooks'

import { Problem } from '../../parts/problem.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { RecordsTable } from './records-table.tsx'
import { type AnyRecord, labelOf, plural, titleOf } from './words.ts'

/** How many entries of each kind of log are looked through. */
const LOOKED = 250

export interface CustomerLogsProps {
  readonly collections: readonly string[]
  readonly record: AnyRecord
}

/** What automations wrote down about a customer, looked for by its name when asked. */
export function CustomerLogs(props: CustomerLogsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      class="card data-answer"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <h2>Automations’ logs that name it</h2>
      </summary>
      {isOpen &&
        ['triggerLogs', 'actionLogs'].map((collection) => (
          <Logs key={collection} {...props} collection={collection} />
        ))}
    </details>
  )
}

function Logs({ collections, record, collection }: CustomerLogsProps & { readonly collection: string }) {
  const organizationId = String(record['organizationId'])
  const query = new URLSearchParams({ organizationId, limit: `${LOOKED}` })
  const { value, error } = useAnswer<{ readonly items: readonly AnyRecord[] }>({
    path: `/_sandbox/data/${collection}?${query}`,
  })
  const name = labelOf(record)
  const found = (value?.items ?? []).filter((entry) =>
    Object.values(entry).some((text) => typeof text === 'string' && text.includes(name)),
  )
  return (
    <>
      <h3>{titleOf(collection)}</h3>
      <Problem error={error} />
      {found.length > 0 ? (
        <RecordsTable
          collection={collection}
          records={found}
          same={['organizationId']}
          source={{ collections, organizationId }}
          caption={`${titleOf(collection)} that name ${name}`}
        />
      ) : (
        <p class="empty">
          None of the latest {value?.items.length} {plural(collection)} names it.
        </p>
      )}
    </>
  )
}
