import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface TabsProps<T extends string> {
  /** Names the set of tabs. */
  readonly label: string
  /** Order: as shown. */
  readonly tabs: readonly { readonly name: T; readonly label: string }[]
  readonly chosen: T
  readonly onChoose: (name: T) => void
  /** The content of the selected tab. */
  readonly children: ComponentChildren
}

/** Renders tabs over one panel; the arrow keys, Home and End move between them. */
export function Tabs<T extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const turn = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ name }) => name === chosen)
    const to = tabs.at(placeAfter(event.key, at, tabs.length) ?? tabs.length)
    if (!to) return
    event.preventDefault()
    onChoose(to.name)
    list.current?.querySelector<HTMLElement>(`[data-tab="${to.name}"]`)?.focus()
  }
  return (
    <div class="tabs">
      <div ref={list} class="tab-list" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={turn}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            data-tab={tab.name}
            aria-selected={tab.name === chosen}
            aria-controls={tab.name === chosen ? `${id}-panel` : undefined}
            tabIndex={tab.name === chosen ? 0 : -1}
            onClick={() => onChoose(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  )
}

/** Returns the tab that a key moves to; undefined for other keys. */
function placeAfter(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count
  if (key === 'ArrowLeft') return (at - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
