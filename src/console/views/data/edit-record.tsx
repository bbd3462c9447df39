import { useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Input } from '../../components/form.tsx'
import { Problem } from '../../components/problem.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useChange } from '../../components/use-calls.ts'
import type { ListOperation } from './contract.ts'
import { type AnyRecord, singularize } from './labels.ts'
import { FieldInputs, getChangedFields, listFormFields, toFormValues } from './record-form.tsx'

export interface EditRecordProps {
  readonly operation: ListOperation
  readonly record: AnyRecord
  readonly onClose: () => void
}

/** The ways to edit a record. Order: as shown. */
const ways = [
  { name: 'fields', label: 'Fields' },
  { name: 'put', label: 'Replace (PUT)' },
  { name: 'patch', label: 'Merge patch (PATCH)' },
] as const
type Way = (typeof ways)[number]['name']

const hints: Readonly<Record<Exclude<Way, 'fields'>, string>> = {
  put: 'Replaces the record. Fields that you omit are generated.',
  patch: 'Changes only the given fields (RFC 7396). null removes a field; lists are replaced.',
}

/** Renders a dialog that edits a record by a form or as JSON. */
export function EditRecord({ operation, record: current, onClose }: EditRecordProps) {
  const { collection, item } = operation
  // The first version, so that updates do not overwrite edits.
  const [record] = useState(current)
  const fields = listFormFields(record, item)
  const before = toFormValues(record, fields)
  const [way, setWay] = useState<Way>('fields')
  const [values, setValues] = useState(before)
  const [texts, setTexts] = useState({ put: JSON.stringify(record, undefined, 2), patch: '{\n  \n}' })
  const { make, isBusy, error, forget } = useChange()
  const body = way === 'fields' ? getChangedFields(fields, values, before) : parseJson(texts[way])
  const isEmpty = way === 'fields' && Object.keys(body ?? {}).length === 0
  const route = routes.data[':collection'][':id']
  const parts = { param: { collection, id: String(record['id']) }, query: {}, json: body }
  const call = way === 'put' ? prepare('put', route, parts) : prepare('patch', route, parts)
  const subject = `${singularize(collection)} ${String(record['id'])}`
  const save = async (): Promise<void> => {
    if (body === undefined || isEmpty) return
    if (await make(call, `Changed ${subject}.`)) onClose()
  }
  const choose = (chosen: Way): void => {
    forget()
    setWay(chosen)
  }
  return (
    <Dialog
      title={`Edit ${subject}`}
      onClose={onClose}
      onSubmit={() => void save()}
      isWide
      actions={
        <button type="submit" class="primary" disabled={isBusy || isEmpty || body === undefined}>
          Save
        </button>
      }
    >
      <Tabs label="Editing mode" tabs={ways} chosen={way} onChoose={choose}>
        {way === 'fields' ? (
          <FieldInputs fields={fields} values={values} error={error} empty="" onChange={setValues} />
        ) : (
          <>
            <Input
              label="JSON"
              name="json"
              rows={18}
              value={texts[way]}
              hint={body === undefined ? 'Not valid JSON yet.' : hints[way]}
              set={(text) => setTexts({ ...texts, [way]: text })}
            />
            <Problem error={error} />
          </>
        )}
      </Tabs>
    </Dialog>
  )
}

/** Parses JSON; undefined if it is invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
