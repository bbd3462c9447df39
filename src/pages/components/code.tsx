import { useState } from 'preact/hooks'

import { read, type Call } from '../calls.ts'
import { Icon } from './icon.tsx'
import { Button, Problem } from './ui.tsx'
import { announce } from './use-calls.ts'

export function Code({ text, subject }: { text: string; subject: string }) {
  return (
    <div class="code">
      <pre>{text}</pre>
      <Copy text={text} subject={subject} />
    </div>
  )
}

interface CopyProps {
  readonly text: string
  readonly subject: string
  /** The button's label; an icon by default. */
  readonly label?: string
}

export function Copy({ text, subject, label }: CopyProps) {
  const copy = (): Promise<void> =>
    navigator.clipboard.writeText(text).then(
      () => announce(`Copied ${subject}.`),
      () => announce(`The browser blocked copying. Select ${subject} and copy it yourself.`),
    )
  return (
    <Button
      class={label ? undefined : 'quiet'}
      run={copy}
      title={`Copy ${subject}`}
      aria-label={label ?? `Copy ${subject}`}
    >
      {label ?? <Icon name="copy" />}
    </Button>
  )
}

/** Renders a button that saves a call's response as a file: a link would lack the session and the admin token. */
export function Save({ call, name, label }: { call: Call; name: string; label: string }) {
  const [error, setError] = useState<unknown>()
  const save = async (): Promise<void> => {
    setError(undefined)
    try {
      const text = JSON.stringify(await read(call), undefined, 2)
      const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
      Object.assign(document.createElement('a'), { href: url, download: name }).click()
      URL.revokeObjectURL(url)
      announce(`Saved ${name}.`)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <>
      <Button run={save}>{label}</Button>
      <Problem error={error} />
    </>
  )
}
