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
