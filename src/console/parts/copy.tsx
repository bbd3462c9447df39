import { announce } from './announcer.tsx'

export interface CopyProps {
  readonly text: string
  /** What is copied, as in `the call as curl`. */
  readonly what: string
  /** What the button says; `Copy` without. */
  readonly label?: string
}

/** A button that copies a text. */
export function Copy({ text, what, label }: CopyProps) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      announce(`Copied ${what}.`)
    } catch {
      announce(`The browser does not let this page copy. Select ${what} instead.`)
    }
  }
  return (
    <button
      type="button"
      class="small"
      onClick={() => void copy()}
      aria-label={label === undefined ? `Copy ${what}` : undefined}
    >
      {label ?? 'Copy'}
    </button>
  )
}
