import { useEffect, useId, useState } from 'preact/hooks'

import { Dialog, useModal } from '../components/dialog.tsx'
import { isTyping } from '../components/keys.ts'
import { Facts } from '../components/ui.tsx'
import { type Action, useActions } from './actions.ts'

const SHOWN = 12

const combobox = { role: 'combobox', list: undefined, 'aria-expanded': true } as const

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

export function Palette({ close }: { close: () => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const actions = useActions(text).slice(0, SHOWN)
  useEffect(() => setAt(0), [text])
  const run = (action: Action | undefined): void => {
    if (!action) return
    close()
    action.run()
  }
  const press = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (event.key === 'Enter') run(actions[at])
    else if (step !== undefined) setAt((at + step + actions.length) % Math.max(1, actions.length))
    else return
    event.preventDefault()
  }
  return (
    <dialog {...useModal(close)} class="dialog palette" aria-label="Actions">
      <input
        {...combobox}
        type="text"
        aria-label="Action"
        aria-controls={id}
        aria-activedescendant={actions.length > 0 ? `${id}-${at}` : undefined}
        placeholder="fail, 30 days, signal 7, 404, scope, a member, a customer …"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
      />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- a select cannot be searched */}
      <ul id={id} role="listbox" aria-label="Actions">
        {actions.map((action, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys of the search run it
          <li
            key={action.label}
            id={`${id}-${index}`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- as the list
            role="option"
            aria-selected={index === at}
            onClick={() => run(action)}
          >
            {action.label}
          </li>
        ))}
      </ul>
      {actions.length === 0 && <p class="empty">No action matches.</p>}
    </dialog>
  )
}

const keys = {
  'Ctrl K or ⌘ K': 'Open all actions: fail a request, move the clock, switch the member …',
  '/': 'Search in the current view, or all actions',
  '↑ ↓ Home End': 'Move in a list; Enter opens, Escape closes',
  '?': 'Show these keys',
}

export function Keys({ openPalette }: { openPalette: () => void }) {
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
      <Facts facts={Object.entries(keys)} />
    </Dialog>
  )
}
