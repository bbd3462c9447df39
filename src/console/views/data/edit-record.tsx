import { useState } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { AsCurl } from '../../parts/as-curl.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Input } from '../../parts/input.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useChange } from '../../parts/use-change.ts'
import type { ListOperation } from './contract.ts'
import { FieldInputs } from './field-inputs.tsx'
import { changesIn, formFields, valuesOf } from './form-fields.ts'
import { type AnyRecord, singular } from './words.ts'

export interface EditRecordProps {
  readonly operation: ListOperation
  readonly record: AnyRecord
  readonly onClose: () => void
}

/** How a record is changed. Order: as the tabs. */
const ways = [
  { name: 'fields', label: 'Fields' },
  { name: 'put', label: 'All of it (PUT)' },
  { name: 'patch', label: 'Merge patch (PATCH)' },
] as const
type Way = (typeof ways)[number]['name']

const hints: Readonly<Record<Exclude<Way, 'fields'>, string>> = {
  put: 'Replaces the record: what is left out is drawn.',
  patch:
    'Changes what it names, and leaves the rest (RFC 7396): null takes something out, lists are replaced.',
}

/** Changes a record: its simple fields by a form, whatever else as JSON. */
export function EditRecord({ operation, record: current, onClose }: EditRecordProps) {
  const { collection, item } = operation
  // What comes meanwhile does not overwrite what is being written.
  const [record] = useState(current)
  const fields = formFields(record, item)
  const before = valuesOf(record, fields)
  const [way, setWay] = useState<Way>('fields')
  const [values, setValues] = useState(before)
  const [texts, setTexts] = useState({ put: JSON.stringify(record, undefined, 2), patch: '{\n  \n}' })
  const { make, isBusy, error, forget } = useChange()
  const body = way === 'fields' ? changesIn(fields, values, before) : parsed(texts[way])
  const isEmpty = way === 'fields' && Object.keys(body ?? {}).length === 0
  const path = `/_sandbox/data/${collection}/${String(record['id'])}`
  const call: Call = { method: way === 'put' ? 'PUT' : 'PATCH', path, body }
  const what = `${singular(collection)} ${String(record['id'])}`
  const save = async (): Promise<void> => {
    if (body === undefined || isEmpty) return
    if (await make(call, `Changed ${what}.`)) onClose()
  }
  const choose = (chosen: Way): void => {
    forget()
    setWay(chosen)
  }
  return (
    <Dialog
      title={`Edit ${what}`}
      onClose={onClose}
      onSubmit={() => void save()}
      isWide
      actions={
        <button type="submit" class="primary" disabled={isBusy || isEmpty || body === undefined}>
          Save
        </button>
      }
    >
      <Tabs label="How to change it" tabs={ways} chosen={way} onChoose={choose}>
        {way === 'fields' ? (
          <FieldInputs fields={fields} values={values} error={error} empty="" onChange={setValues} />
        ) : (
          <>
            <Input
              label="JSON"
              name="json"
              rows={18}
              value={texts[way]}
              hint={body === undefined ? 'This is not JSON yet.' : hints[way]}
              set={(text) => setTexts({ ...texts, [way]: text })}
            />
            <Problem error={error} />
          </>
        )}
      </Tabs>
      {body !== undefined && !isEmpty && <AsCurl call={call} />}
    </Dialog>
  )
}

/** What a text says as JSON; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
