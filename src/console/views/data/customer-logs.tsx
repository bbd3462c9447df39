import { useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { type AnyRecord, getLabel, pluralize, formatTitle } from './labels.ts'
import { RecordsTable } from './records-table.tsx'

/** The number of entries to search in each kind of log. */
const SEARCHED = 250

export interface CustomerLogsProps {
  readonly collections: readonly string[]
  readonly record: AnyRecord
}

/** Renders the automation logs that mention a customer, once expanded. */
export function CustomerLogs(props: CustomerLogsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      class="card data-response"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <h2>Automation logs that mention this customer</h2>
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
  const query = { organizationId, limit: `${SEARCHED}` }
  const { value, error } = useRead(
    prepare('get', routes.data[':collection'], { param: { collection }, query }),
  )
  const name = getLabel(record)
  const found = (value?.items ?? []).filter((entry) =>
    Object.values(entry).some((text) => typeof text === 'string' && text.includes(name)),
  )
  return (
    <>
      <h3>{formatTitle(collection)}</h3>
      <Problem error={error} />
      {found.length > 0 ? (
        <RecordsTable
          collection={collection}
          records={found}
          same={['organizationId']}
          source={{ collections, organizationId }}
          caption={`${formatTitle(collection)} that mention ${name}`}
        />
      ) : (
        <p class="empty">
          None of the latest {value?.items.length} {pluralize(collection)} mention it.
        </p>
      )}
    </>
  )
}
