import { useState } from 'preact/hooks'

import type { SessionInfo } from '../../../sessions/open-session.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Code, Copy } from '../../components/code.tsx'
import { Save } from '../../components/code.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { JsonFile } from '../../components/form.tsx'
import { Instant } from '../../components/format.tsx'
import { Card } from '../../components/layout.tsx'
import { Loaded, Problem } from '../../components/problem.tsx'
import { SchemaForm, useBodySchema } from '../../components/schema-form.tsx'
import type { Schema } from '../../components/schema.ts'
import { useChange, useRead } from '../../components/use-calls.ts'
import { baseUrl, formatCurl } from '../../curl.ts'
import { session, switchSession } from '../../place.ts'
import { useFork } from '../../shell/header.tsx'

/** The number of sessions to show at first, and to add per click. */
const PAGE = 50

/** Lists the sessions, to open, fork, delete and switch to. */
export function SessionsPage() {
  const state = useRead(prepare('get', routes.sessions))
  const [shown, setShown] = useState(PAGE)
  return (
    <div class="columns">
      <Card title="Sessions">
        <p class="hint">
          A session is an isolated copy of the tenant, for example one per test, with its own changes, clock,
          faults, traffic and assumptions. It expires after half an hour without requests.
        </p>
        <Loaded state={state}>
          {({ items }) => (
            <>
              <ul class="list">
                <SessionRow />
                {/* The most recently used session comes first. */}
                {items
                  .toReversed()
                  .slice(0, shown)
                  .map((one) => (
                    <SessionRow key={one.id} listed={one} />
                  ))}
              </ul>
              {items.length > shown && (
                <button type="button" onClick={() => setShown(shown + PAGE)}>
                  Show more of {items.length}
                </button>
              )}
              <SessionUse id={session.value ?? items.at(-1)?.id ?? 'session-1'} />
            </>
          )}
        </Loaded>
      </Card>
      <div>
        <OpenForm sessions={state.value?.items ?? []} />
        <StateCard />
      </div>
    </div>
  )
}

/** Renders a session; the default one if none is listed. */
function SessionRow({ listed }: { readonly listed?: SessionInfo }) {
  const { make, error } = useChange()
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
  const actions: readonly (readonly [verb: string, run: () => unknown])[] = [
    ...(isShown ? [] : [['Switch to', () => switchSession(listed?.id)] as const]),
    ['Fork', fork],
    ...(listed ? [['Delete', () => setAsking(true)] as const] : []),
  ]
  return (
    <li>
      <span class="row">
        <b>{name}</b> {name !== id && <span class="hint mono">{id}</span>}
        {isShown && <span class="tag good">current</span>}
        <span class="hint">{listed && <Instant at={listed.now} part="minute" />}</span>
        {actions.map(([verb, run]) => (
          <button
            key={verb}
            type="button"
            class="small"
            aria-label={`${verb} ${name}`}
            onClick={() => void run()}
          >
            {verb}
          </button>
        ))}
      </span>
      <code>{url}</code> <Copy text={url} subject={`the base URL of ${name}`} />
      <Problem error={error} />
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
  const url = `${location.origin}/v1/members/me`
  const byHeader = { method: 'GET', url, headers: { 'Sandbox-Session': id, ...token } }
  return (
    <>
      <h3>Send a request to {id}</h3>
      <Code text={formatCurl(byUrl)} subject="the request by base URL" />
      <p class="hint">Or by header:</p>
      <Code text={formatCurl(byHeader)} subject="the request by header" />
    </>
  )
}

/** Saves the current session as a file, and restores it from one. */
function StateCard() {
  const { make, error } = useChange()
  const name = session.value ?? 'default'
  const restore = (content: unknown): unknown =>
    content !== undefined &&
    make(prepare('put', routes.state, { json: castBody(content) }), `Restored ${name} from the file.`)
  return (
    <Card title={`Save ${name}`}>
      <p class="hint">
        Saves its changes, clock, faults and assumptions as a file. Restoring replaces those of {name}.
      </p>
      <div class="row">
        <Save call={prepare('get', routes.state)} name={`${name}.json`} label="Save session" />
        <JsonFile key={name} label="Restore from a file" choose={restore} />
      </div>
      <Problem error={error} />
    </Card>
  )
}

/** Renders a form that opens a session and switches to it. */
function OpenForm({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const change = useChange()
  const copies = sessions.map(({ id, name }) => [id, `a copy of ${name ?? id}`] as const)
  const help = {
    name: { placeholder: 'optional' },
    id: { placeholder: 'generated' },
    from: { label: 'Starts as', options: { default: 'a copy of default', ...Object.fromEntries(copies) } },
    now: { label: 'Time (UTC)', placeholder: 'as in the dataset' },
    assumptions: {
      placeholder: 'errorFormat = error\ncreateStatus = 201',
      hint: 'One name = value per line. Write lists as JSON.',
    },
  }
  const open = (json: never) =>
    change.make<SessionInfo>(prepare('post', routes.sessions, { json }), ({ id }) => {
      switchSession(id)
      return `Opened ${id} and switched to it.`
    })
  return (
    <Card title="Open a session">
      <SchemaForm
        label="Open a session"
        schema={simplify(useBodySchema('openSession'))}
        names={Object.keys(help)}
        help={help}
        empty="the dataset"
        verb="Open"
        change={change}
        submit={open}
      />
    </Card>
  )
}

/** Edits the assumptions as lines, because there are too many for a field each. */
function simplify(schema: Schema | undefined): Schema | undefined {
  const assumptions: Schema = { type: 'object', additionalProperties: {} }
  return schema && { ...schema, properties: { ...schema.properties, assumptions } }
}
