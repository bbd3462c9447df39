export interface SelectProps {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
  /** What each value is called. Order: as shown. */
  readonly options: Readonly<Record<string, string>>
}

/** A text to choose. */
export function Select({ label, value, set, options }: SelectProps) {
  return (
    <label class="field">
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
