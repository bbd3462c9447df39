import { useEffect, useState } from 'preact/hooks'

import { Dialog } from '../components/dialog.tsx'
import { isTyping } from '../components/keys.ts'
import { Facts } from '../components/ui.tsx'

/** Order: as shown. */
const keys: readonly (readonly [key: string, use: string])[] = [
  ['Ctrl K or ⌘ K', 'Open all actions: fail a request, move the clock, switch the member …'],
  ['/', 'Search in the current view, or all actions'],
  ['↑ ↓ Home End', 'Move in a list; Enter opens, Escape closes'],
  ['?', 'Show these keys'],
]

/** Handles the keys that work everywhere, and lists them on demand. */
export function Keys({ openPalette }: { readonly openPalette: () => void }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event
      if (defaultPrevented || altKey) return
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) {
        event.preventDefault()
        openPalette()
      }
      if (ctrlKey || metaKey || isTyping(target) || document.querySelector('dialog[open]')) return
      if (key === '?') setShown(true)
      if (key !== '/') return
      event.preventDefault()
      const search = document.querySelector<HTMLElement>('main [data-search]')
      if (search) search.focus()
      else openPalette()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  if (!isShown) return null
  return (
    <Dialog title="Keys" dismissal="Close" onClose={() => setShown(false)}>
      <Facts facts={keys.map(([key, use]) => [<kbd>{key}</kbd>, use])} />
    </Dialog>
  )
}
