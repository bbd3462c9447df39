import { useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.ts'
import { Dialog } from '../../components/dialog.tsx'
import { type Schema, listTypes } from '../../components/schema.ts'
import { useChange } from '../../components/use-calls.ts'
import { getLabel } from './labels.ts'
import { FieldInputs, type FormField } from './record-form.tsx'
import { useRecords } from './use-records.ts'

export interface AddNoteProps {
  readonly customerId: number
  readonly organizationId: string
  readonly member: CastMember
  /** The schema of a note. */
  readonly note: Schema
  readonly onClose: () => void
}

/** Renders a dialog that adds a note to a customer. */
export function AddNote({ customerId, organizationId, member, note, onClose }: AddNoteProps) {
  const text = findTextField(note)
  const categories =
    useRecords(['noteCategories'], organizationId)
      .get('noteCategories')
      ?.items.filter((category) => category['isActive'] !== false) ?? []
  const [{ category, [text]: content = '' }, setValues] = useState<Readonly<Record<string, string>>>({})
  const { make, isBusy, error } = useChange()
  const chosen = categories.find((one) => getLabel(one) === category) ?? categories[0]
  const options = categories.map(getLabel)
  const fields: readonly FormField[] = [
    ...(chosen ? [{ name: 'category', kind: 'text', isLong: false, options } as const] : []),
    { name: text, kind: 'text', isLong: true, options: [] },
  ]
  const isOwn = member.organizationId === organizationId
  const call = prepare('post', routes.data[':collection'], {
    param: { collection: 'notes' },
    query: {},
    json: {
      customerId,
      ...(chosen && { categoryId: chosen['id'] }),
      [text]: content,
      ...(isOwn && { createdById: member.id }),
    },
  })
  const add = async (): Promise<void> => {
    if (await make(call, `Added a note to customer ${customerId}.`)) onClose()
  }
  return (
    <Dialog
      title={`Add a note to customer ${customerId}`}
      onClose={onClose}
      onSubmit={() => void add()}
      actions={
        <button type="submit" class="primary" disabled={isBusy || content === ''}>
          Add note
        </button>
      }
    >
      <FieldInputs
        fields={fields}
        values={{ category: chosen ? getLabel(chosen) : '', [text]: content }}
        error={error}
        empty=""
        onChange={setValues}
      />
      {isOwn && <p class="hint">Added by {member.name} at the session’s current time.</p>}
    </Dialog>
  )
}

/** Finds the text field of a note; an assumption decides its name. */
function findTextField({ properties = {} }: Schema): string {
  return Object.entries(properties).find(isText)?.[0] ?? 'content'
}

const isText = ([, schema]: readonly [string, Schema]): boolean =>
  listTypes(schema).includes('string') && schema.pattern === undefined
