import type { Call } from '../calls.ts'
import { toCurl } from '../curl.ts'
import { announce } from './announcer.tsx'

/** Renders text with a button to copy it. */
export function Code({ text, subject }: { readonly text: string; readonly subject: string }) {
  return (
    <div class="code">
      <pre>{text}</pre>
      <Copy text={text} subject={subject} />
    </div>
  )
}

export interface CopyProps {
  readonly text: string
  /** Names the text, as in `the call as curl`. */
  readonly subject: string
  /** The button's label; `Copy` by default. */
  readonly label?: string
}

/** Renders a button that copies text. */
export function Copy({ text, subject, label }: CopyProps) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      announce(`Copied ${subject}.`)
    } catch {
      announce(`The browser blocked copying. Select ${subject} and copy it yourself.`)
    }
  }
  return (
    <button
      type="button"
      class="small"
      onClick={() => void copy()}
      aria-label={label === undefined ? `Copy ${subject}` : undefined}
    >
      {label ?? 'Copy'}
    </button>
  )
}

/** Renders the call of a button as curl, collapsed at first. */
export function AsCurl({ call }: { readonly call: Call }) {
  return (
    <details class="as-curl">
      <summary>Show as curl</summary>
      <Code text={toCurl(call)} subject="the call as curl" />
    </details>
  )
}

/** Renders the calls of several buttons as curl, collapsed at first. */
export function Curls({ calls }: { readonly calls: Readonly<Record<string, Call>> }) {
  return (
    <details class="as-curl">
      <summary>Show as curl</summary>
      {Object.entries(calls).map(([subject, call]) => (
        <div key={subject} class="control-curl">
          <p>{subject}</p>
          <Code text={toCurl(call)} subject={`as curl: ${subject}`} />
        </div>
      ))}
    </details>
  )
}
