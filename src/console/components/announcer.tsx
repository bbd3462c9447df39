import { signal } from '@preact/signals'

const said = signal('')
let silence: ReturnType<typeof setTimeout> | undefined

/** Shows a message for a few seconds and announces it to screen readers; an empty one leaves the last in place. */
export function announce(text: string): void {
  if (text === '') return
  said.value = text
  clearTimeout(silence)
  silence = setTimeout(() => {
    said.value = ''
  }, 4_000)
}

/** Renders the current message as a live region. */
export function Announcer() {
  return <output class="announcer">{said}</output>
}
