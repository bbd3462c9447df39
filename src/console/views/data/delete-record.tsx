import { prepare, routes } from '../../client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead, useChange } from '../../components/use-calls.ts'
import { linkTo, show } from '../../place.ts'
import { formatCount, formatCounts, pluralize, singularize } from './labels.ts'

/** The collections of a record's parts, which are deleted with it, and the field that refers to it. */
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

/** Confirms the deletion of a record, and lists the records that are deleted with it. */
export function DeleteRecord({ collection, id, name, onClose }: DeleteRecordProps) {
  const { make, isBusy, error } = useChange()
  const call = prepare('delete', routes.data[':collection'][':id'], {
    param: { collection, id },
    query: {},
  })
  const remove = async (): Promise<void> => {
    const isGone = await make(call, ({ deleted }) => `Deleted ${formatCounts(deleted)}.`)
    if (isGone) show(linkTo('data', [collection]), 'replace')
  }
  const gone = parts[collection] ?? []
  return (
    <Dialog
      title={`Delete ${singularize(collection)} ${id}?`}
      onClose={onClose}
      onSubmit={() => void remove()}
      actions={
        <button type="submit" class="danger" disabled={isBusy}>
          Delete
        </button>
      }
    >
      <p>
        This deletes <strong>{name}</strong> in this session{gone.length > 0 ? ', together with:' : '.'}
      </p>
      {gone.length > 0 && (
        <ul>
          {gone.map(([part, field]) => (
            <Part key={part} collection={part} field={field} id={id} />
          ))}
        </ul>
      )}
      <p class="hint">You can undo this under Changes.</p>
      <Problem error={error} />
    </Dialog>
  )
}

interface PartProps {
  readonly collection: string
  readonly field: string
  readonly id: string
}

function Part({ collection, field, id }: PartProps) {
  const { value } = useRead(
    prepare('get', routes.data[':collection'].counts, { param: { collection }, query: { by: field } }),
  )
  const found = value?.items.find((one) => String(one.value) === id)?.count
  // The list of counts may be incomplete.
  const count = found ?? (value && value.items.length === value.totalCount ? 0 : undefined)
  return <li>{count === undefined ? `its ${pluralize(collection)}` : formatCount(count, collection)}</li>
}
