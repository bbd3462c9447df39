import { useState } from 'preact/hooks'

import { Problem } from './problem.tsx'

export interface JsonFileProps {
  readonly label: string
  /** Receives the content; undefined if no file is selected or it is invalid. */
  readonly choose: (content: unknown) => unknown
}

/** Renders a field that reads a JSON file. */
export function JsonFile({ label, choose }: JsonFileProps) {
  const [error, setError] = useState<unknown>()
  const load = async (file: File | undefined): Promise<void> => {
    setError(undefined)
    let content: unknown
    try {
      if (file) content = JSON.parse(await file.text())
    } catch {
      setError(new Error(`${file?.name} is not valid JSON.`))
    }
    await choose(content)
  }
  return (
    <>
      <label class="field">
        {label}{' '}
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void load(currentTarget.files?.[0])}
        />
      </label>
      <Problem error={error} />
    </>
  )
}
