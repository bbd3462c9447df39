import { useState } from 'preact/hooks'

import type { CastMember } from '../../components/cast.ts'
import { AddNote } from './add-note.tsx'
import { Undo, useChanges } from './changes.tsx'
import type { ListOperation } from './contract.ts'
import { DeleteRecord } from './delete-record.tsx'
import { EditRecord } from './edit-record.tsx'
import { type AnyRecord, getLabel } from './labels.ts'

export interface RecordActionsProps {
  readonly operation: ListOperation
  readonly operations: readonly ListOperation[]
  readonly record: AnyRecord
  readonly member: CastMember
}

/** Renders buttons that change a record. */
export function RecordActions({ operation, operations, record, member }: RecordActionsProps) {
  const { collection } = operation
  const [doing, setDoing] = useState<'edit' | 'delete' | 'note'>()
  const change = useChanges()?.items.find((one) => one.collection === collection && one.id === record['id'])
  const notes = operations.find((other) => other.collection === 'notes')
  const close = (): void => setDoing(undefined)
  return (
    <div class="row data-actions">
      {change && (
        <>
          <span class="tag warn">{change.kind} in this session</span>
          <Undo change={change} />
        </>
      )}
      {collection === 'customers' && notes && (
        <button type="button" onClick={() => setDoing('note')}>
          Add note
        </button>
      )}
      <button type="button" onClick={() => setDoing('edit')}>
        Edit
      </button>
      <button type="button" class="danger" onClick={() => setDoing('delete')}>
        Delete
      </button>
      {doing === 'edit' && <EditRecord operation={operation} record={record} onClose={close} />}
      {doing === 'delete' && (
        <DeleteRecord
          collection={collection}
          id={String(record['id'])}
          name={getLabel(record)}
          onClose={close}
        />
      )}
      {doing === 'note' && notes && (
        <AddNote
          customerId={Number(record['id'])}
          organizationId={String(record['organizationId'])}
          member={member}
          note={notes.item}
          onClose={close}
        />
      )}
    </div>
  )
}
