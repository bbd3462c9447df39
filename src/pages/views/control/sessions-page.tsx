import type { SessionInfo } from '../../../sessions/open-session.ts'
import { makeChange, useRead } from '../../calls.ts'
import { fork, castBody, prepare, routes } from '../../client.ts'
import { Copyable } from '../../components/copy.tsx'
import { FileField, SchemaForm, useBodySchema, useFile } from '../../components/form.tsx'
import { Instant } from '../../components/format.tsx'
import { tryJson } from '../../components/schema.ts'
import { saveFile } from '../../components/service.tsx'
import { Act, Button, Card, Loaded, Problem, confirm, focusHeading, useMore } from '../../components/ui.tsx'
import { overview } from '../../live.ts'
import { session, switchSession } from '../../place.ts'

export function SessionsPage() {
  const state = useRead(prepare('get', routes.sessions))
  const sessions = state.value?.items.toReversed() ?? []
  const [shown, more] = useMore(sessions, 50)
  return (
    <div class="columns">
      <Card title="Sessions">
        <p class="hint">
          A session is an isolated copy of the tenant, for example one per test, with its own changes, clock,
          faults, traffic and assumptions. It expires after half an hour without requests. Send requests to
          its base URL, or to that of default with the header <code>Sandbox-Session</code> and its id.
        </p>
        <Loaded state={state}>
          {() => (
            <ul class="list is-lined">
              {[undefined, ...shown].map((one) => (
                <SessionRow key={one?.id} listed={one} />
              ))}
            </ul>
          )}
        </Loaded>
        {more}
      </Card>
      <div>
        <OpenForm sessions={sessions} />
        <StateCard />
      </div>
    </div>
  )
}

function SessionRow({ listed }: { listed: SessionInfo | undefined }) {
  const id = listed?.id ?? 'default'
  const name = listed?.name ?? id
  const url = listed?.baseUrl ?? `${location.origin}/v1`
  const isShown = session.value === listed?.id
  const verb = `Delete ${name}`
  return (
    <li>
      <div class="row is-apart">
        <span>
          <b>{name}</b> {name !== id && <span class="mono">{id}</span>}{' '}
          {isShown && <span class="tag good">current</span>}{' '}
          <span class="hint">{listed && <Instant at={listed.now} part="minute" />}</span>
        </span>
        <span class="row">
          {!isShown && (
            <Button aria-label={`Switch to ${name}`} run={() => switchSession(listed?.id)}>
              Switch to
            </Button>
          )}
          <Act aria-label={`Fork ${name}`} {...fork({}, id, name)}>
            Fork
          </Act>
          {listed && (
            <Act
              class="bad"
              aria-label={verb}
              call={{ ...prepare('delete', routes.sessions[':id'], { param: { id } }), ends: id }}
              done={`Deleted ${name}.`}
              after={focusHeading}
              ask={{
                verb,
                text: 'This also deletes its changes, faults and traffic. Requests that use it will get 404.',
              }}
            >
              Delete
            </Act>
          )}
        </span>
      </div>
      <Copyable text={url} subject={`the base URL of ${name}`} />
    </li>
  )
}

function StateCard() {
  const { session: id = 'default', name = id } = overview.value ?? {}
  const { open, error } = useFile(async (saved, fileName) => {
    const parsed = tryJson(await saved.text())
    if (!parsed) throw new Error(`${fileName} is not JSON. Choose a file from “Save session”.`)
    const verb = `Restore ${name} from ${fileName}`
    const text = 'This replaces its changes, clock, faults and assumptions. It cannot be undone.'
    const call = prepare('put', routes.state, { json: castBody(parsed.json) })
    if (await confirm({ verb, text })) await makeChange(call, `Restored ${name} from ${fileName}.`)
  })
  return (
    <Card title={`Save ${name}`}>
      <p class="hint">
        Saves its changes, clock, faults and assumptions as a file. Restoring replaces those of {name}.
      </p>
      <Button run={() => saveFile(prepare('get', routes.state), `${id}.json`)}>Save session</Button>
      <FileField label="Restore from a file" accept=".json,application/json" open={open} />
      <Problem error={error} />
    </Card>
  )
}

function OpenForm({ sessions }: { sessions: readonly SessionInfo[] }) {
  const copies = sessions.map(({ id, name }) => [id, `a copy of ${name ?? id}`] as const)
  const help = {
    name: { placeholder: 'optional' },
    id: { placeholder: 'generated' },
    from: { label: 'Starts as', options: { default: 'a copy of default', ...Object.fromEntries(copies) } },
    now: { label: 'Time (UTC)', placeholder: 'as in the dataset' },
  }
  return (
    <Card title="Open a session">
      <SchemaForm
        label="Open a session"
        schema={useBodySchema('openSession')}
        help={help}
        empty="the dataset"
        verb="Open"
        submit={(json: never, make) =>
          make<SessionInfo>(prepare('post', routes.sessions, { json }), ({ id }) => {
            switchSession(id)
            return `Opened ${id} and switched to it.`
          })
        }
      />
    </Card>
  )
}
