import { useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { useRead, useChange } from '../../components/use-calls.ts'
import { linkTo, show } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { isRecord, singularize } from './labels.ts'
import { FieldInputs, type FormValues, getChangedFields, listFormFields } from './record-form.tsx'

export interface NewRecordProps {
  readonly operation: ListOperation
  readonly organizationId: string
  /** Initial values of the record. */
  readonly given: Readonly<Record<string, string | undefined>>
  readonly onClose: () => void
}

/** Renders a dialog that creates a record; missing fields are generated. */
export function NewRecord({ operation, organizationId, given, onClose }: NewRecordProps) {
  const { collection, item } = operation
  const route = routes.data[':collection']
  const param = { collection }
  const { value: sample } = useRead(prepare('get', route, { param, query: { organizationId, limit: '1' } }))
  const [changed, setChanged] = useState<FormValues>()
  const { make, isBusy, error } = useChange()
  const fields = listFormFields(sample?.items[0] ?? {}, item)
  const first = Object.fromEntries(fields.map(({ name }) => [name, given[name] ?? '']))
  const values = changed ?? first
  const call = prepare('post', route, {
    param,
    query: { organizationId },
    json: getChangedFields(fields, values, {}),
  })
  const create = async (): Promise<void> => {
    let id: unknown
    const isMade = await make(call, (response) => {
      if (isRecord(response)) ({ id } = response)
      return `Created ${singularize(collection)} ${String(id)}.`
    })
    if (isMade) show(linkTo('data', [collection, String(id)]))
  }
  return (
    <Dialog
      title={`New ${singularize(collection)}`}
      onClose={onClose}
      onSubmit={() => void create()}
      isWide
      actions={
        <button type="submit" class="primary" disabled={isBusy}>
          Create
        </button>
      }
    >
      <p class="hint">Empty fields are generated to match the others.</p>
      <FieldInputs fields={fields} values={values} error={error} empty="generated" onChange={setChanged} />
    </Dialog>
  )
}
