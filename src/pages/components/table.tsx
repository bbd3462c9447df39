import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

export interface Column<T> {
  readonly label: string
  readonly render: (row: T) => ComponentChildren
  /** The whole text of a cell, whose end may be cut off. */
  readonly title?: ((row: T) => string | undefined) | undefined
  /** How long the bar behind the cell is. Units: per cent. */
  readonly share?: ((row: T) => number) | undefined
  /** How wide it is, and that numbers align at their ends. */
  readonly look?: 'id' | 'number' | 'date' | 'long' | 'name' | undefined
  readonly isMinor?: boolean | undefined
}

interface TableProps<T> {
  readonly caption: string
  readonly isCaptionShown?: boolean
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly getKey: (row: T) => string | number
}

/** Those of the other columns share what is left. */
const widths = {
  id: '4.5rem',
  number: 'clamp(5.25rem, 8vw, 7.5rem)',
  date: '9.25rem',
  name: '11.5rem',
  long: '24%',
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
            <th
              key={column.label}
              class={getClass(column)}
              scope="col"
              title={column.label}
              style={column.look && { '--width': widths[column.look] }}
            >
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

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }

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

/** Listens to keys from the moment at which a view is shown. */
export function useKeys(press: (event: KeyboardEvent) => void): void {
  useLayoutEffect(() => {
    const pressUnused = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented) press(event)
    }
    document.addEventListener('keydown', pressUnused)
    return () => document.removeEventListener('keydown', pressUnused)
  })
}

/** Runs a function on Escape, unless the key closes something else or is pressed in an input. */
export const useEscape = (run: () => void): void =>
  useKeys((event) => {
    if (event.key === 'Escape' && !isOccupied(event)) run()
  })

/** Whether a key belongs to a dialog, or to a field that is typed in. */
export const isOccupied = ({ target }: KeyboardEvent): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.matches('input, select, textarea'))
