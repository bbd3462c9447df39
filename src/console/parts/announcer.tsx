import { signal } from '@preact/signals'

const said = signal('')
let silence: ReturnType<typeof setTimeout> | undefined

/** Says something for a moment, to who sees the page and to who hears it. */
export function announce(text: string): void {
  said.value = text
  clearTimeout(silence)
  silence = setTimeout(() => {
    said.value = ''
  }, 4_000)
}

/** Where it is said. */
export function Announcer() {
  return <output class="announcer">{said}</output>
}
