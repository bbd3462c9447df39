import { useState } from 'preact/hooks'

import { type Call, read } from '../calls.ts'
import { announce } from './announcer.tsx'
import { Problem } from './problem.tsx'

export interface SaveProps {
  readonly call: Call
  /** The file's name. */
  readonly name: string
  readonly label: string
}

/** Renders a button that saves a call's response as a file: a link would lack the session and the admin token. */
export function Save({ call, name, label }: SaveProps) {
  const [error, setError] = useState<unknown>()
  const save = async (): Promise<void> => {
    setError(undefined)
    try {
      download(JSON.stringify(await read(call), undefined, 2), name)
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
