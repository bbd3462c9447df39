import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

export interface Column<T> {
  readonly label: string
  readonly render: (row: T) => ComponentChildren
  /** The whole text of a cell, whose end may be cut off. */
  readonly title?: ((row: T) => string | undefined) | undefined
  /** How long the bar behind the cell is. Units: per cent. */
  readonly share?: ((row: T) => number) | undefined
  /** How wide it is, and that numbers align at their ends. */
  readonly look?: 'id' | 'number' | 'date' | 'long' | 'name' | undefined
  /** Whether narrow screens leave it out. */
  readonly isMinor?: boolean | undefined
}

interface TableProps<T> {
  readonly caption: string
  readonly isCaptionShown?: boolean
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly getKey: (row: T) => string | number
}

/** Renders a table whose cells are one line each; the arrow keys move between links that open rows. */
export function Table<T>({ caption, isCaptionShown = false, columns, rows, getKey }: TableProps<T>) {
  const getClass = ({ look, isMinor }: Column<T>): string =>
    `${look ? `is-${look}` : ''} ${isMinor ? 'is-minor' : ''}`.trim()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys move between the links in it
    <table onKeyDown={move}>
      <caption class={isCaptionShown ? undefined : 'unseen'}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.label} class={getClass(column)} scope="col" title={column.label}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={getKey(row)}>
            {columns.map((column) => (
              <td
                key={column.label}
                class={getClass(column)}
                title={column.title?.(row)}
                {...(column.share && { style: { '--share': `${column.share(row)}%` } })}
              >
                {column.render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function move(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.opens-row')]
  const at = links.findIndex((one) => one.closest('tr')?.contains(document.activeElement))
  links[findNext(event, at, links.length) ?? -1]?.focus()
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

/**
 * Finds the place in a list to which a key moves; undefined for a key that does not move.
 * @param at the present place; -1 if there is none
 */
export function findNext(event: KeyboardEvent, at: number, count: number): number | undefined {
  const step = steps[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  event.preventDefault()
  const from = at === -1 && step < 0 ? count : at
  return Math.max(0, Math.min(count - 1, from + step))
}

/** Runs a function on Escape, unless the key closes something else or is pressed in an input. */
export function useEscape(run: (() => void) | undefined): void {
  useEffect(() => {
    const press = ({ target, key, defaultPrevented }: KeyboardEvent): void => {
      const isTaken = defaultPrevented || document.querySelector('dialog[open]') !== null
      if (key === 'Escape' && !isTaken && !isTyping(target)) run?.()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type=checkbox], [type=radio]), select, textarea')
