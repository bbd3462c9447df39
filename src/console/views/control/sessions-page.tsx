import { useState } from 'preact/hooks'

import type { SessionInfo } from '../../../sessions/open-session.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { useCast } from '../../components/cast.ts'
import { Code, Copy } from '../../components/code.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Form } from '../../components/form.tsx'
import { Instant } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { type FieldHelp, OtherErrors, SchemaFields, useBodySchema } from '../../components/schema-form.tsx'
import { type Draft, type Schema, parseDraft } from '../../components/schema.ts'
import { type Change, useChange, useRead } from '../../components/use-calls.ts'
import { baseUrl, formatCurl } from '../../curl.ts'
import { session, switchSession } from '../../place.ts'
import { useFork } from '../../shell/header.tsx'

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
    <div class="control-grid">
      <Card title="Sessions">
        <p class="hint">
          A session is an isolated copy of the tenant, for example one per test, with its own changes, clock,
          faults, traffic and assumptions. It expires after half an hour without requests.
        </p>
        <Problem error={error ?? change.error} />
        <ul class="control-list">
          <SessionRow change={change} />
          {sessions.slice(0, shown).map((one) => (
            <SessionRow key={one.id} listed={one} change={change} />
          ))}
        </ul>
        {sessions.length > shown && (
          <button type="button" onClick={() => setShown(shown + PAGE)}>
            Show more of {sessions.length}
          </button>
        )}
        <SessionUse id={session.value ?? sessions[0]?.id ?? 'session-1'} />
      </Card>
      <OpenForm sessions={sessions} />
    </div>
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
  const name = listed?.name ?? id
  const { fork } = useFork({ id, name })
  const isShown = session.value === listed?.id
  const url = listed?.baseUrl ?? `${location.origin}/v1`
  const remove = async (): Promise<void> => {
    // The page must not read in a deleted session.
    if (isShown) switchSession(undefined)
    const call = prepare('delete', routes.sessions[':id'], { param: { id } })
    const isGone = await make(call, `Deleted ${name}.`)
    if (isShown && !isGone) switchSession(id)
    document.querySelector<HTMLElement>('main')?.focus()
  }
  return (
    <li>
      <span class="row">
        <b>{name}</b> {name !== id && <span class="hint mono">{id}</span>}
        {isShown && <span class="tag good">current</span>}
        <span class="hint">{listed && <Instant at={listed.now} part="minute" />}</span>
        {!isShown && (
          <button
            type="button"
            class="small"
            aria-label={`Switch to ${name}`}
            onClick={() => switchSession(listed?.id)}
          >
            Switch
          </button>
        )}
        <button type="button" class="small" aria-label={`Fork ${name}`} onClick={() => void fork()}>
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
      <code>{url}</code> <Copy text={url} subject={`the base URL of ${name}`} />
      {isAsking && (
        <Confirm title={`Delete ${name}?`} verb="Delete" confirm={remove} close={() => setAsking(false)}>
          <p>This also deletes its changes, faults and traffic. Requests that use it will get 404.</p>
        </Confirm>
      )}
    </li>
  )
}

/** Explains how to send a request to a session. */
function SessionUse({ id }: { readonly id: string }) {
  const { member } = useCast()
  const token = { Authorization: `Bearer ${member?.token ?? ''}` }
  const byUrl = { method: 'GET', url: `${baseUrl(id)}/members/me`, headers: token }
  const byHeader = {
    method: 'GET',
    url: `${location.origin}/v1/members/me`,
    headers: { 'Sandbox-Session': id, ...token },
  }
  return (
    <>
      <h3>Send a request to {id}</h3>
      <Code text={formatCurl(byUrl)} subject="the request by base URL" />
      <p class="hint">Or by header:</p>
      <Code text={formatCurl(byHeader)} subject="the request by header" />
    </>
  )
}

const fields = ['name', 'id', 'from', 'now', 'assumptions']

/** Renders a form that opens a session and switches to it. */
function OpenForm({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const [draft, setDraft] = useState<Draft>({})
  const { make, error } = useChange()
  const schema = simplify(useBodySchema('openSession'))
  const copies = sessions.map(({ id, name }) => [id, `a copy of ${name ?? id}`] as const)
  const help: Readonly<Record<string, FieldHelp>> = {
    name: { placeholder: 'optional' },
    id: { placeholder: 'generated' },
    from: { label: 'Starts as', options: { default: 'a copy of default', ...Object.fromEntries(copies) } },
    now: { label: 'Time (UTC)', placeholder: 'as in the dataset' },
    assumptions: {
      placeholder: 'errorFormat = error\ncreateStatus = 201',
      hint: 'One name = value per line. Write lists as JSON.',
    },
  }
  const submit = async (): Promise<void> => {
    const call = prepare('post', routes.sessions, { json: castBody(parseDraft(schema ?? {}, draft)) })
    const isOpen = await make<SessionInfo>(call, ({ id }) => {
      switchSession(id)
      return `Opened ${id} and switched to it.`
    })
    if (isOpen) setDraft({})
  }
  return (
    <Card title="Open a session">
      <Form label="Open a session" error={error} submit={submit}>
        <SchemaFields
          schema={schema}
          names={fields}
          draft={draft}
          set={setDraft}
          error={error}
          help={help}
          empty="the dataset"
        />
        <OtherErrors error={error} names={fields} />
        <button type="submit" class="primary" disabled={!schema}>
          Open
        </button>
      </Form>
    </Card>
  )
}

/** Edits the assumptions as lines, because there are too many for a field each. */
function simplify(schema: Schema | undefined): Schema | undefined {
  const assumptions: Schema = { type: 'object', additionalProperties: {} }
  return schema && { ...schema, properties: { ...schema.properties, assumptions } }
}
