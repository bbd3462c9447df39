import type { ComponentChildren } from 'preact'

import { moveFocus } from './keys.ts'

export interface Column<T> {
  readonly label: string
  readonly render: (row: T) => ComponentChildren
  /** The whole text of a cell, whose end may be cut off. */
  readonly title?: ((row: T) => string | undefined) | undefined
  /** How wide it is, and that numbers align at their ends. */
  readonly look?: 'id' | 'number' | 'date' | 'long' | undefined
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
              <td key={column.label} class={getClass(column)} title={column.title?.(row)}>
                {column.render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void =>
  void moveFocus(event, [...event.currentTarget.querySelectorAll<HTMLElement>('.opens-row')])
