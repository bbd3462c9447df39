import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { Act, RequestLink } from '../../components/ui.tsx'
import { requests } from '../../live.ts'

/** A row of a list, with its button. */
interface ActionRow {
  readonly verb: string
  /** The thing that the button acts on. */
  readonly subject: string
  readonly call: Call
  /** The message after success. */
  readonly done: string
  readonly text: ComponentChildren
}

interface ActionListProps {
  readonly rows: readonly ActionRow[]
  /** The text without rows. */
  readonly empty?: string
  /** A button that acts on all rows; only for lists whose buttons remove their row. */
  readonly all?: { readonly verb: string; readonly call: Call; readonly done: string; readonly hint?: string }
}

/** Lists things with a button each. After a removal, the heading of the card gets the focus. */
export function ActionList({ rows, empty, all }: ActionListProps) {
  const list = useRef<HTMLDivElement>(null)
  const focus = (): void => list.current?.closest('section')?.querySelector('h2')?.focus()
  return (
    <div ref={list}>
      {rows.length === 0 && <p class="empty">{empty}</p>}
      <ul class="list action-list">
        {rows.map(({ verb, subject, call, done, text }) => (
          <li key={subject}>
            <Act class="small" call={call} done={done} after={all && focus} aria-label={`${verb} ${subject}`}>
              {verb}
            </Act>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {all && rows.length > 1 && (
        <p class="row">
          <Act call={all.call} done={all.done} after={focus}>
            {all.verb}
          </Act>
          <span class="hint">{all.hint}</span>
        </p>
      )}
    </div>
  )
}

interface UsesProps {
  /** As in `fault-1: matched 3, injected 1`. */
  readonly text: string
  readonly isOne: (request: (typeof requests.value)[number]) => boolean
}

/** Renders how often a fault or a scenario acted, and the last recorded request that it acted on. */
export function Uses({ text, isOne }: UsesProps) {
  const last = requests.value.findLast(isOne)
  return (
    <span class="hint">
      {text}
      {last && ', last '}
      {last && <RequestLink id={last.id} />}
    </span>
  )
}
