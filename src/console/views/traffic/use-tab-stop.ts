import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { RowWindow } from './row-window.ts'

/** The row that is the list's only tab stop. */
export interface TabStop {
  /** Undefined before a row has had the focus. */
  readonly id: number | undefined
  /** Moves the focus to a row, and brings it into view. */
  readonly goTo: (id: number) => void
  /** Records that a row got the focus. */
  readonly note: (id: number) => void
}

/**
 * Tracks the row that had the focus last, or else the row of the request that is shown.
 * @param current the id of the request that is shown beside the list
 */
export function useTabStop(
  entries: readonly { readonly id: number }[],
  rows: RowWindow,
  current?: number,
): TabStop {
  const [last, note] = useState<number>()
  const wanted = useRef<number | undefined>(undefined)
  const shown = useRef(current)
  const findIndex = (id: number | undefined): number => entries.findIndex((entry) => entry.id === id)
  const goTo = (id: number): void => {
    note(id)
    wanted.current = id
    rows.reveal(findIndex(id))
  }
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const link = rows.findRow(wanted.current)?.querySelector('a')
    link?.focus({ preventScroll: true })
    if (link) wanted.current = undefined
  })
  const isListed = findIndex(current) !== -1
  useLayoutEffect(() => {
    if (isListed) rows.reveal(findIndex(current), 'middle')
  }, [current, isListed])
  // Closing a request moves the focus to its row.
  useEffect(() => {
    const closed = current === undefined ? shown.current : undefined
    shown.current = current
    if (closed !== undefined && document.activeElement === document.body) goTo(closed)
  }, [current])
  return { id: findIndex(last) === -1 ? current : last, goTo, note }
}
