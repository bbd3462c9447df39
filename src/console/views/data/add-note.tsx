import { useState } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { AsCurl } from '../../parts/as-curl.tsx'
import type { CastMember } from '../../parts/cast.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useChange } from '../../parts/use-change.ts'
import { type Schema, typesOf } from './contract.ts'
import { FieldInputs } from './field-inputs.tsx'
import type { FormField } from './form-fields.ts'
import { useRecords } from './use-records.ts'
import { labelOf } from './words.ts'

export interface AddNoteProps {
  readonly customerId: number
  readonly organizationId: string
  readonly member: CastMember
  /** What a note looks like. */
  readonly note: Schema
  readonly onClose: () => void
}

/** Adds a note to a customer. */
export function AddNote({ customerId, organizationId, member, note, onClose }: AddNoteProps) {
  const text = textIn(note)
  const categories =
    useRecords(['noteCategories'], organizationId)
      .of('noteCategories')
      ?.items.filter((category) => category['isActive'] !== false) ?? []
  const [{ category, [text]: content = '' }, setValues] = useState<Readonly<Record<string, string>>>({})
  const { make, isBusy, error } = useChange()
  const chosen = categories.find((one) => labelOf(one) === category) ?? categories[0]
  const options = categories.map(labelOf)
  const fields: readonly FormField[] = [
    ...(chosen ? [{ name: 'category', kind: 'text', isLong: false, options } as const] : []),
    { name: text, kind: 'text', isLong: true, options: [] },
  ]
  const isOwn = member.organizationId === organizationId
  const call: Call = {
    method: 'POST',
    path: '/_sandbox/data/notes',
    body: {
      customerId,
      ...(chosen && { categoryId: chosen['id'] }),
      [text]: content,
      ...(isOwn && { createdById: member.id }),
    },
  }
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
        values={{ category: chosen ? labelOf(chosen) : '', [text]: content }}
        error={error}
        empty=""
        onChange={setValues}
      />
      {isOwn && <p class="hint">By {member.name}, now by the session’s clock.</p>}
      <AsCurl call={call} />
    </Dialog>
  )
}

/** The field of a note that is its text, whatever the session's assumptions call it. */
function textIn({ properties = {} }: Schema): string {
  return Object.entries(properties).find(isText)?.[0] ?? 'content'
}

const isText = ([, schema]: readonly [string, Schema]): boolean =>
  typesOf(schema).includes('string') && schema.pattern === undefined
