import { useRef } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { toText } from '../../components/schema.ts'
import { Act, Card, Loaded, RequestLink } from '../../components/ui.tsx'
import type { ReadState } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'

interface Active {
  readonly id: string
  readonly text?: string
  readonly left?: number | null
}

interface ActiveListProps<T extends Active> {
  readonly title: string
  readonly state: ReadState<{ readonly items: readonly T[] }>
  readonly prepareRemoval: (id: string) => Call
  readonly removeAll: Call
  /** Reports whether something has acted on a request. */
  readonly hasActed: (id: string, request: (typeof requests.value)[number]) => boolean
}

/** Lists the faults or scenarios of the session, each with the last request that it acted on. */
export function ActiveList<T extends Active>(props: ActiveListProps<T>) {
  const { title, state, prepareRemoval, removeAll, hasActed } = props
  const list = useRef<HTMLUListElement>(null)
  // The button disappears with its row.
  const focus = (): void => list.current?.closest('section')?.querySelector('h2')?.focus()
  const count = state.value?.items.length ?? 0
  return (
    <Card title={`${title} (${count})`}>
      <Loaded state={state}>
        {({ items }) => (
          <ul ref={list} class="list is-lined">
            {items.length === 0 && <li class="empty">None: requests reach the service unchanged.</li>}
            {items.map((item) => {
              const last = requests.value.findLast((request) => hasActed(item.id, request))
              return (
                <li key={item.id} class="row is-apart">
                  <span>
                    {describe(item)} <span class="hint">{item.text}</span>{' '}
                    {item.left === 0 && <span class="tag">used up</span>}
                    {last && (
                      <span class="hint">
                        , last on <RequestLink id={last.id} />
                      </span>
                    )}
                  </span>
                  <Act
                    aria-label={`Remove ${item.id}`}
                    call={prepareRemoval(item.id)}
                    done={`Removed ${item.id}.`}
                    after={focus}
                  >
                    Remove
                  </Act>
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
      {count > 1 && (
        <Act call={removeAll} done={`Removed all ${title.toLowerCase()}.`} after={focus}>
          Remove all
        </Act>
      )}
    </Card>
  )
}

/** Formats settings as they are written in a request, as in `status 503 · times 1`. */
export function describe(settings: object): string {
  return Object.entries(settings)
    .filter(([name, value]) => name !== 'id' && name !== 'text' && value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${toText(value)}`)
    .join(' · ')
}
