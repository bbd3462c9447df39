import { announce } from './announcer.tsx'

/** A button that copies a text. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      announce(`Copied ${what}.`)
    } catch {
      announce(`The browser does not let this page copy. Select ${what} instead.`)
    }
  }
  return (
    <button type="button" class="small" onClick={() => void copy()} aria-label={`Copy ${what}`}>
      Copy
    </button>
  )
}
