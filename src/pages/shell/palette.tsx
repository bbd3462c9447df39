import { useEffect, useId, useState } from 'preact/hooks'

import { useModal } from '../components/dialog.tsx'
import { isTyping } from '../components/keys.ts'
import { type Action, useActions } from './actions.ts'

/** The number of actions to show. */
const SHOWN = 12

const combobox = { role: 'combobox', list: undefined, 'aria-expanded': true } as const

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** @param initial the text to begin with */
export function Palette({ initial, close }: { initial: string; close: () => void }) {
  const id = useId()
  const [text, setText] = useState(initial)
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
    <dialog {...useModal(close)} aria-label="Actions">
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
      <ul id={id} class="list" role="listbox" aria-label="Actions">
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

/** Follows the keys that work everywhere: Ctrl K opens all actions, / moves to the search of the view. */
export function useKeys(openPalette: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event
      if (defaultPrevented || altKey) return
      const isPalette = key.toLowerCase() === 'k' && (ctrlKey || metaKey)
      const isBusy = ctrlKey || metaKey || isTyping(target) || document.querySelector('dialog[open]')
      if (!isPalette && (isBusy || key !== '/')) return
      event.preventDefault()
      const search = document.querySelector<HTMLElement>('main [data-search]')
      if (search && !isPalette) search.focus()
      else openPalette()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
