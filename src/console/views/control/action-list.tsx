import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { Problem } from '../../components/problem.tsx'
import { useChange } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'
import { linkTo } from '../../place.ts'

/** A row of a list, with its button. */
export interface ActionRow {
  readonly verb: string
  /** The thing that the button acts on. */
  readonly subject: string
  readonly call: Call
  /** The message after success. */
  readonly done: string
  readonly text: ComponentChildren
}

export interface ActionListProps {
  readonly rows: readonly ActionRow[]
  /** The text without rows. */
  readonly empty?: string
  /** A button that acts on all rows; only for lists whose buttons remove their row. */
  readonly all?: { readonly verb: string; readonly call: Call; readonly done: string; readonly hint?: string }
}

/** Lists things with a button each. After a removal, the heading of the card gets the focus. */
export function ActionList({ rows, empty, all }: ActionListProps) {
  const { make, error } = useChange()
  const list = useRef<HTMLDivElement>(null)
  const act = async (call: Call, done: string): Promise<void> => {
    const heading = list.current?.closest('section')?.querySelector('h2')
    if ((await make(call, done)) && all) heading?.focus()
  }
  return (
    <div ref={list}>
      <Problem error={error} />
      {rows.length === 0 && <p class="empty">{empty}</p>}
      <ul class="list action-list">
        {rows.map(({ verb, subject, call, done, text }) => (
          <li key={subject}>
            <button
              type="button"
              class="small"
              aria-label={`${verb} ${subject}`}
              onClick={() => void act(call, done)}
            >
              {verb}
            </button>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {all && rows.length > 1 && (
        <p class="row">
          <button type="button" onClick={() => void act(all.call, all.done)}>
            {all.verb}
          </button>
          <span class="hint">{all.hint}</span>
        </p>
      )}
    </div>
  )
}

export interface LastRequestProps {
  readonly isOne: (request: (typeof requests.value)[number]) => boolean
}

/** Links the last recorded request that a fault or a scenario acted on; nothing without one. */
export function LastRequest({ isOne }: LastRequestProps) {
  const last = requests.value.findLast(isOne)
  if (!last) return null
  return (
    <>
      , last <a href={linkTo('traffic', [`${last.id}`])}>request {last.id}</a>
    </>
  )
}
