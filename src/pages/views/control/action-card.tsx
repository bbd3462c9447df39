import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { Act, Card, Loaded, RequestLink } from '../../components/ui.tsx'
import type { ReadState } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'

interface ActionRow {
  readonly verb: string
  readonly subject: string
  readonly call: Call
  readonly done: string
  readonly text: ComponentChildren
  /** Whether the row matters no longer; such rows are folded. */
  readonly isOver?: boolean
}

const noRows: readonly ActionRow[] = []

interface ActionCardProps {
  readonly title: string
  readonly state: ReadState<unknown>
  readonly rows: readonly ActionRow[] | undefined
  readonly empty?: string
  /** A button that acts on all rows; only for lists whose buttons remove their row. */
  readonly all?: { readonly verb: string; readonly call: Call; readonly done: string; readonly hint?: string }
}

export function ActionCard({ title, state, rows = noRows, empty, all }: ActionCardProps) {
  const list = useRef<HTMLUListElement>(null)
  const focus = (): void => list.current?.closest('section')?.querySelector('h2')?.focus()
  const [over, active] = [rows.filter(({ isOver }) => isOver), rows.filter(({ isOver }) => !isOver)]
  const renderRow = ({ verb, subject, text, isOver: _isOver, ...act }: ActionRow) => (
    <li key={subject}>
      <span>{text}</span>
      <Act after={all && focus} aria-label={`${verb} ${subject}`} {...act}>
        {verb}
      </Act>
    </li>
  )
  return (
    <Card title={all && rows.length > 0 ? `${title} (${rows.length})` : title}>
      <Loaded state={state}>
        {() => (
          <>
            {rows.length === 0 && <p class="empty">{empty}</p>}
            <ul ref={list} class="list action-list">
              {active.map(renderRow)}
            </ul>
            {over.length > 0 && (
              <details>
                <summary>{over.length} used up</summary>
                <ul class="list action-list">{over.map(renderRow)}</ul>
              </details>
            )}
            {all && rows.length > 1 && (
              <Act call={all.call} done={all.done} after={focus} title={all.hint}>
                {all.verb}
              </Act>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

export function Described({ name, text }: { name: string; text: string }) {
  return (
    <>
      <b>{name}</b> <span class="hint">{text}</span>
    </>
  )
}

interface UsesProps {
  readonly id: string
  readonly text: string
  readonly isOne: (request: (typeof requests.value)[number]) => boolean
}

export function Uses({ id, text, isOne }: UsesProps) {
  const last = requests.value.findLast(isOne)
  return (
    <span class="hint" title={id}>
      {text}
      {last && ', last '}
      {last && <RequestLink id={last.id} />}
    </span>
  )
}
