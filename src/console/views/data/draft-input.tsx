import { useState } from 'preact/hooks'

/** The attributes of a control besides its value and events. */
export type Control = Readonly<Record<string, string | boolean | undefined>>

export interface DraftInputProps {
  readonly control?: Control
  readonly value: string
  readonly isNumber: boolean
  readonly placeholder?: string
  readonly list: string | undefined
  readonly commit: (value: string) => void
}

/** Renders a text field that commits on change; updates do not overwrite the text while it is edited. */
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
