import { useState } from 'preact/hooks'

import type { Call } from '../../../calls.ts'
import { Card } from '../../../parts/card.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { Instant } from '../../../parts/instant.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { useAnswer } from '../../../parts/use-answer.ts'
import { type Change, useChange } from '../../../parts/use-change.ts'
import { session as shownSession, turnTo } from '../../../place.ts'
import type { ListedSession } from '../../../session-switch.tsx'
import { OpenForm } from './open-form.tsx'
import { SessionUse } from './session-use.tsx'

/** How many sessions are shown at first, and how many more by a click. */
const PAGE = 50

/** The sessions: listed, opened, forked, deleted, turned to; what one is, and how it is used. */
export function SessionsPage() {
  const { value, error } = useAnswer<{ readonly items: readonly ListedSession[] }>({
    path: '/_sandbox/sessions',
  })
  const [shown, setShown] = useState(PAGE)
  // The one that was used last is looked for most.
  const sessions = value?.items.toReversed() ?? []
  const change = useChange()
  return (
    <>
      <Card title="Sessions">
        <p>
          A session is an isolated copy of the tenant, one for each test for instance: with its own changes,
          clock, faults, requests and assumptions.
        </p>
        <Problem error={error ?? change.error} />
        <ul class="session-list">
          <SessionRow change={change} />
          {sessions.slice(0, shown).map((one) => (
            <SessionRow key={one.id} listed={one} change={change} />
          ))}
        </ul>
        {sessions.length > shown && (
          <button type="button" class="steer-gap" onClick={() => setShown(shown + PAGE)}>
            Show more of {sessions.length}
          </button>
        )}
      </Card>
      <div class="columns steer-gap">
        <OpenForm sessions={sessions} />
        <SessionUse sessions={sessions} />
      </div>
    </>
  )
}

interface SessionRowProps {
  /** Undefined for the default session. */
  readonly listed?: ListedSession
  readonly change: Change
}

function SessionRow({ listed, change: { make } }: SessionRowProps) {
  const [isAsking, setAsking] = useState(false)
  const id = listed?.id ?? 'default'
  const name = listed?.name ?? listed?.id ?? 'default'
  const isShown = shownSession.value === listed?.id
  const url = listed?.baseUrl ?? `${location.origin}/v1`
  const remove = async (): Promise<void> => {
    const path = `/_sandbox/sessions/${encodeURIComponent(id)}`
    // Nothing is to be read in a session that is gone.
    if (isShown) turnTo(undefined)
    const isGone = await make({ method: 'DELETE', path }, `Deleted ${name}.`)
    if (isShown && !isGone) turnTo(id)
    document.querySelector<HTMLElement>('main')?.focus()
  }
  const fork: Call = {
    method: 'POST',
    path: '/_sandbox/sessions',
    body: { from: id, name: `fork of ${name}`.slice(0, 200) },
  }
  return (
    <li class={isShown ? 'session is-shown' : 'session'}>
      <span class="session-name">
        <b>{name}</b> {listed?.name !== undefined && <span class="hint mono">{id}</span>}{' '}
        {isShown && <span class="tag good">shown here</span>}
      </span>
      <span class="session-url">
        <code>{url}</code> <Copy text={url} what={`the base URL of ${name}`} />
      </span>
      <span class="hint">{listed && <Instant at={listed.now} />}</span>
      <span class="session-buttons">
        <button
          type="button"
          class="small"
          aria-label={`Show ${name}`}
          aria-disabled={isShown}
          onClick={() => turnTo(listed?.id)}
        >
          Show
        </button>
        <button
          type="button"
          class="small"
          aria-label={`Fork ${name}`}
          onClick={() => void make<ListedSession>(fork, (made) => `Opened ${made.id} as a copy of ${name}.`)}
        >
          Fork
        </button>
        {listed && (
          <button
            type="button"
            class="small danger"
            aria-label={`Delete ${name}`}
            onClick={() => setAsking(true)}
          >
            Delete
          </button>
        )}
      </span>
      {isAsking && listed && (
        <Confirm title={`Delete ${name}?`} verb="Delete" confirm={remove} close={() => setAsking(false)}>
          <p>
            Its changes, faults and requests go with it. Requests that name it are answered 404 from then on.
          </p>
        </Confirm>
      )}
    </li>
  )
}
