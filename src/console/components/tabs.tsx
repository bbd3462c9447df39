import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

import { moveFocus } from './keys.ts'

interface TabsProps<T extends string> {
  /** Names the set of tabs. */
  readonly label: string
  /** The label of each tab. Order: as shown. */
  readonly tabs: readonly (readonly [name: T, label: string])[]
  readonly chosen: T
  readonly choose: (name: T) => void
  /** The content of the selected tab. */
  readonly children: ComponentChildren
}

/** Renders tabs over one panel; the keys that move the focus also select. */
export function Tabs<T extends string>({ label, tabs, chosen, choose, children }: TabsProps<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void =>
    moveFocus(event, [...(list.current?.querySelectorAll('button') ?? [])])?.click()
  return (
    <div class="tabs">
      <div ref={list} class="tab-list" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
        {tabs.map(([name, text]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={name === chosen ? `${id}-panel` : undefined}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  )
}
