import { useState } from 'preact/hooks'

/** The attributes of a control, but for what it says and does. */
export type Control = Readonly<Record<string, string | boolean | undefined>>

export interface DraftInputProps {
  readonly control?: Control
  readonly value: string
  readonly isNumber: boolean
  readonly placeholder?: string
  readonly list: string | undefined
  readonly commit: (value: string) => void
}

/** A text that counts once it has been written; what comes meanwhile does not overwrite it. */
export function DraftInput({ value, commit, control, isNumber, placeholder, list }: DraftInputProps) {
  const [draft, setDraft] = useState<string>()
  return (
    <input
      {...control}
      inputMode={isNumber ? 'numeric' : 'text'}
      placeholder={placeholder}
      list={list}
      value={draft ?? value}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={() => setDraft(undefined)}
      onChange={({ currentTarget }) => {
        setDraft(undefined)
        commit(currentTarget.value)
      }}
    />
  )
}
