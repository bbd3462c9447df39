import { Input, type InputProps } from '../../../parts/input.tsx'
import { type Extra, type FaultDraft, hasRoom } from './fault-draft.ts'
import type { DraftProps } from './fault-form.tsx'

type TextKey = { [K in keyof FaultDraft]: FaultDraft[K] extends string ? K : never }[keyof FaultDraft]

interface FaultInputProps
  extends DraftProps, Pick<InputProps, 'label' | 'placeholder' | 'hint' | 'rows' | 'proposals'> {
  readonly of: Exclude<TextKey, 'effect'>
  /** As refusals call it; without, as the draft does. */
  readonly name?: string
  /** Shown only where this has room. */
  readonly extra?: Extra
}

/** A field of a draft; nothing where the rest of the draft leaves it no room. */
export function FaultInput({ draft, set, of, name = of, extra, ...rest }: FaultInputProps) {
  if (extra !== undefined && !hasRoom(draft, extra)) return null
  return <Input {...rest} name={name} value={draft[of]} set={(value) => set({ [of]: value })} />
}
