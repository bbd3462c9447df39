import { useState } from 'preact/hooks'

import { read } from '../calls.ts'
import { announce } from './announcer.tsx'
import { Problem } from './problem.tsx'

export interface SaveProps {
  /** What is read, from `/` on. */
  readonly path: string
  /** The file's name. */
  readonly name: string
  readonly label: string
}

/** A button that saves what a call answers as a file: a link would lack the session and the admin token. */
export function Save({ path, name, label }: SaveProps) {
  const [error, setError] = useState<unknown>()
  const save = async (): Promise<void> => {
    setError(undefined)
    try {
      download(JSON.stringify(await read<unknown>(path), undefined, 2), name)
      announce(`Saved ${name}.`)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <>
      <button type="button" class="small" onClick={() => void save()}>
        {label}
      </button>
      <Problem error={error} />
    </>
  )
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
