import { useState } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { AsCurl } from '../../parts/as-curl.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { useChange } from '../../parts/use-change.ts'
import { addressOf, show } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { FieldInputs } from './field-inputs.tsx'
import { changesIn, formFields, type FormValues } from './form-fields.ts'
import { type AnyRecord, isRecord, singular } from './words.ts'

export interface NewRecordProps {
  readonly operation: ListOperation
  readonly organizationId: string
  /** What is known of the record. */
  readonly given: Readonly<Record<string, string | undefined>>
  readonly onClose: () => void
}

/** Makes a record; what is not given is drawn. */
export function NewRecord({ operation, organizationId, given, onClose }: NewRecordProps) {
  const { collection, item } = operation
  const query = new URLSearchParams({ organizationId })
  const path = `/_sandbox/data/${collection}?${query}`
  const { value: sample } = useAnswer<{ readonly items: readonly AnyRecord[] }>({ path: `${path}&limit=1` })
  const [changed, setChanged] = useState<FormValues>()
  const { make, isBusy, error } = useChange()
  const fields = formFields(sample?.items[0] ?? {}, item)
  const first = Object.fromEntries(fields.map(({ name }) => [name, given[name] ?? '']))
  const values = changed ?? first
  const call: Call = { method: 'POST', path, body: changesIn(fields, values, {}) }
  const create = async (): Promise<void> => {
    let id: unknown
    const isMade = await make(call, (answer) => {
      if (isRecord(answer)) ({ id } = answer)
      return `Created ${singular(collection)} ${String(id)}.`
    })
    if (isMade) show(addressOf('data', [collection, String(id)]))
  }
  return (
    <Dialog
      title={`New ${singular(collection)}`}
      onClose={onClose}
      onSubmit={() => void create()}
      isWide
      actions={
        <button type="submit" class="primary" disabled={isBusy}>
          Create
        </button>
      }
    >
      <p class="hint">What is left empty is drawn, so that it agrees with what is given.</p>
      <FieldInputs fields={fields} values={values} error={error} empty="drawn" onChange={setChanged} />
      <AsCurl call={call} />
    </Dialog>
  )
}
