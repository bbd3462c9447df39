import { useEffect, useState } from 'preact/hooks'

import { Dialog } from '../components/dialog.tsx'

/** Order: as shown. */
const keys: Readonly<Record<string, string>> = {
  'Ctrl K or ⌘ K': 'Open all actions: fail a request, move the clock, switch the member …',
  '/': 'Search in the current view, or all actions',
  '↑ ↓ Home End': 'Move in a list; Enter opens, Escape closes',
  '?': 'Show these keys',
}

/** Handles the keys that work everywhere, and lists them on demand. */
export function Keys({ openPalette }: { readonly openPalette: () => void }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey) return
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        openPalette()
      }
      if (event.ctrlKey || event.metaKey || isTyping(event.target) || document.querySelector('dialog[open]'))
        return
      if (event.key === '?') setShown(true)
      if (event.key !== '/') return
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
      <dl class="facts">
        {Object.entries(keys).map(([key, use]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{use}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type=checkbox], [type=radio]), select, textarea')
