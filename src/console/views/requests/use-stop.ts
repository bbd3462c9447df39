import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { RowWindow } from './row-window.ts'

/** The row at which Tab stops. */
export interface Stop {
  /** Undefined where there is none yet. */
  readonly id: number | undefined
  /** Moves the focus to a row, and brings it into view. */
  readonly goTo: (id: number) => void
  /** A row has the focus. */
  readonly note: (id: number) => void
}

/**
 * The row that had the focus last, else the one that is shown.
 * @param current the id of the request that is shown beside the list
 */
export function useStop(
  entries: readonly { readonly id: number }[],
  rows: RowWindow,
  current?: number,
): Stop {
  const [last, note] = useState<number>()
  const wanted = useRef<number | undefined>(undefined)
  const shown = useRef(current)
  const placeOf = (id: number | undefined): number => entries.findIndex((entry) => entry.id === id)
  const goTo = (id: number): void => {
    note(id)
    wanted.current = id
    rows.reveal(placeOf(id))
  }
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const link = rows.rowOf(wanted.current)?.querySelector('a')
    link?.focus({ preventScroll: true })
    if (link) wanted.current = undefined
  })
  const isListed = placeOf(current) !== -1
  useLayoutEffect(() => {
    if (isListed) rows.reveal(placeOf(current), 'middle')
  }, [current, isListed])
  // Who closes a request goes on at its row.
  useEffect(() => {
    const closed = current === undefined ? shown.current : undefined
    shown.current = current
    if (closed !== undefined && document.activeElement === document.body) goTo(closed)
  }, [current])
  return { id: placeOf(last) === -1 ? current : last, goTo, note }
}
