import type { Counts, RecordCounts } from '../../../control/data/data.ts'
import type { Call } from '../../calls.ts'
import { AsCurl } from '../../parts/as-curl.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { useChange } from '../../parts/use-change.ts'
import { addressOf, show } from '../../place.ts'
import { counted, countsText, plural, singular } from './words.ts'

/** What is part of a record of a collection, and deleted with it; by which field it refers to it. */
const parts: Readonly<Record<string, readonly (readonly [collection: string, field: string])[]>> = {
  customers: [
    ['signals', 'customerId'],
    ['meetings', 'customerId'],
    ['notes', 'customerId'],
    ['briefContents', 'customerId'],
  ],
  automations: [
    ['automations', 'parentId'],
    ['triggerLogs', 'automationId'],
    ['actionLogs', 'automationId'],
  ],
  briefs: [['briefContents', 'briefId']],
  products: [['productMetrics', 'productId']],
}

export interface DeleteRecordProps {
  readonly collection: string
  readonly id: string
  readonly name: string
  readonly onClose: () => void
}

/** Asks before a record is deleted, and says what goes with it. */
export function DeleteRecord({ collection, id, name, onClose }: DeleteRecordProps) {
  const { make, isBusy, error } = useChange()
  const call: Call = { method: 'DELETE', path: `/_sandbox/data/${collection}/${id}` }
  const remove = async (): Promise<void> => {
    const isGone = await make<{ readonly deleted: RecordCounts }>(
      call,
      ({ deleted }) => `Deleted ${countsText(deleted)}.`,
    )
    if (isGone) show(addressOf('data', [collection]), 'replace')
  }
  const gone = parts[collection] ?? []
  return (
    <Dialog
      title={`Delete ${singular(collection)} ${id}?`}
      onClose={onClose}
      onSubmit={() => void remove()}
      actions={
        <button type="submit" class="danger" disabled={isBusy}>
          Delete
        </button>
      }
    >
      <p>
        <strong>{name}</strong> goes, for this session
        {gone.length > 0 ? ', and with it what is part of it:' : '.'}
      </p>
      {gone.length > 0 && (
        <ul>
          {gone.map(([part, field]) => (
            <Part key={part} collection={part} field={field} id={id} />
          ))}
        </ul>
      )}
      <p class="hint">It can be taken back under Changes.</p>
      <Problem error={error} />
      <AsCurl call={call} />
    </Dialog>
  )
}

interface PartProps {
  readonly collection: string
  readonly field: string
  readonly id: string
}

function Part({ collection, field, id }: PartProps) {
  const path = `/_sandbox/data/${collection}/counts?${new URLSearchParams({ by: field })}`
  const { value } = useAnswer<Counts>({ path })
  const found = value?.items.find((one) => String(one.value) === id)?.count
  // A value that is not listed may be among the others.
  const count = found ?? (value && value.items.length === value.totalCount ? 0 : undefined)
  return <li>{count === undefined ? `its ${plural(collection)}` : counted(count, collection)}</li>
}
