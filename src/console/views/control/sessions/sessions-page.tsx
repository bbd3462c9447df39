import { useState } from 'preact/hooks'

import type { SessionInfo } from '../../../../sessions/open-session.ts'
import { prepare, routes } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { useCast } from '../../../components/cast.ts'
import { Code, Copy } from '../../../components/code.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Instant } from '../../../components/format.tsx'
import { Problem } from '../../../components/problem.tsx'
import { type Change, useRead, useChange } from '../../../components/use-calls.ts'
import { baseUrl, formatCurl } from '../../../curl.ts'
import { session, session as shownSession, switchSession } from '../../../place.ts'
import { OpenForm } from './open-form.tsx'

/** The number of sessions to show at first, and to add per click. */
const PAGE = 50

/** Lists the sessions, to open, fork, delete and switch to. */
export function SessionsPage() {
  const { value, error } = useRead(prepare('get', routes.sessions))
  const [shown, setShown] = useState(PAGE)
  // The most recently used session comes first.
  const sessions = value?.items.toReversed() ?? []
  const change = useChange()
  return (
    <>
      <Card title="Sessions">
        <p>
          A session is an isolated copy of the tenant, for example one per test. It has its own changes,
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
          <button type="button" class="control-gap" onClick={() => setShown(shown + PAGE)}>
            Show more of {sessions.length}
          </button>
        )}
      </Card>
      <div class="columns control-gap">
        <OpenForm sessions={sessions} />
        <SessionUse sessions={sessions} />
      </div>
    </>
  )
}

interface SessionRowProps {
  /** Undefined for the default session. */
  readonly listed?: SessionInfo
  readonly change: Change
}

function SessionRow({ listed, change: { make } }: SessionRowProps) {
  const [isAsking, setAsking] = useState(false)
  const id = listed?.id ?? 'default'
  const name = listed?.name ?? listed?.id ?? 'default'
  const isShown = shownSession.value === listed?.id
  const url = listed?.baseUrl ?? `${location.origin}/v1`
  const remove = async (): Promise<void> => {
    // The page must not read in a deleted session.
    if (isShown) switchSession(undefined)
    const isGone = await make(
      prepare('delete', routes.sessions[':id'], { param: { id } }),
      `Deleted ${name}.`,
    )
    if (isShown && !isGone) switchSession(id)
    document.querySelector<HTMLElement>('main')?.focus()
  }
  const fork = prepare('post', routes.sessions, {
    json: { from: id, name: `fork of ${name}`.slice(0, 200) },
  })
  return (
    <li class={isShown ? 'session is-shown' : 'session'}>
      <span class="session-name">
        <b>{name}</b> {listed?.name !== undefined && <span class="hint mono">{id}</span>}{' '}
        {isShown && <span class="tag good">current</span>}
      </span>
      <span class="session-url">
        <code>{url}</code> <Copy text={url} subject={`the base URL of ${name}`} />
      </span>
      <span class="hint">{listed && <Instant at={listed.now} />}</span>
      <span class="session-buttons">
        <button
          type="button"
          class="small"
          aria-label={`Switch to ${name}`}
          aria-disabled={isShown}
          onClick={() => switchSession(listed?.id)}
        >
          Switch
        </button>
        <button
          type="button"
          class="small"
          aria-label={`Fork ${name}`}
          onClick={() => void make<SessionInfo>(fork, (made) => `Opened ${made.id} as a copy of ${name}.`)}
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
          <p>This also deletes its changes, faults and requests. Requests that use it will get 404.</p>
        </Confirm>
      )}
    </li>
  )
}

/** Explains how to send a request to a session. */
function SessionUse({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const { member } = useCast()
  const id = session.value ?? sessions[0]?.id ?? 'session-1'
  const token = { Authorization: `Bearer ${member?.token ?? 'sbx_harbor_1'}` }
  return (
    <Card title="Use a session">
      <p>Use its base URL in your application:</p>
      <Code
        text={formatCurl({ method: 'GET', url: `${baseUrl(id)}/members/me`, headers: token })}
        subject="the call by base URL"
      />
      <p class="control-gap">Or send a header with each request:</p>
      <Code
        text={formatCurl({
          method: 'GET',
          url: `${location.origin}/v1/members/me`,
          headers: { 'Sandbox-Session': id, ...token },
        })}
        subject="the call by header"
      />
      <p class="hint control-gap">
        Sessions are cheap to open and expire after half an hour without use. Only the default session’s
        changes are saved to disk.
      </p>
    </Card>
  )
}
