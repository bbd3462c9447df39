import { useState } from 'preact/hooks'

import type { ListedScenario } from '../../../testing/scenarios/scenario.ts'
import { type Call, useRead, type ReadState } from '../../calls.ts'
import { dropReport, prepare, prepareFault, routes, prepareScenario } from '../../client.ts'
import { Field, type Help, SchemaForm, toOptions, useBodySchema } from '../../components/form.tsx'
import { plural } from '../../components/format.tsx'
import { type Draft, toText } from '../../components/schema.ts'
import { Button, Card, Folded, Loaded, Act, RequestLink, focusHeading } from '../../components/ui.tsx'
import { journalRevision, requests } from '../../live.ts'
import { param, setQuery } from '../../place.ts'
import { isRecord } from '../data/collections.ts'

/** The fields of each effect, with values that are useful at once. */
const effects: Readonly<Record<string, Draft>> = {
  Status: { status: '503', retryAfterSeconds: '', times: '1' },
  Delay: { delayMs: '2000' },
  'Rate limit': { 'rateLimit.requests': '10', 'rateLimit.windowSeconds': '10' },
  'Broken response': { malfunction: 'truncate', times: '1' },
  'Connection reset': { reset: 'true' },
  Hold: { gate: 'true', times: '1' },
  Sequence: { sequence: '503, 503, pass', repeat: '' },
  Profile: { profile: 'flaky' },
}

const more = ['method', 'path', 'after', 'probability', 'delayMs', 'stored', 'headers', 'body']

export function FaultsPage() {
  const effect = param('effect') in effects ? param('effect') : 'Status'
  return (
    <div class="columns">
      <FaultForm key={effect} effect={effect} />
      <ActiveList
        title="Faults"
        state={useRead(prepare('get', routes.faults), journalRevision.value)}
        prepareRemoval={(id) => prepare('delete', routes.faults[':id'], { param: { id } })}
        removeAll={prepare('delete', routes.faults)}
        describe={describeFault}
        hasActed={(id, request) => request.fault === id}
      />
    </div>
  )
}

function FaultForm({ effect }: { effect: string }) {
  const initial = effects[effect] ?? {}
  // A profile says itself how long it acts.
  const common = effect === 'Profile' ? ['operationId'] : ['operationId', 'times']
  const own = Object.keys(initial).map((name) => name.split('.')[0] ?? name)
  const names = [...new Set([...own.filter((name) => name !== 'times'), ...common])]
  const profiles = useRead(prepare('get', routes.faults.profiles)).value?.items ?? []
  const help: Readonly<Record<string, Help>> = {
    profile: {
      options: Object.fromEntries(profiles.map((one) => [one.name, `${one.name}: ${one.description}`])),
    },
    delayMs: { label: 'Delay (ms)', placeholder: '2000 or { "min": 0, "max": 900 }' },
    retryAfterSeconds: { label: 'Retry-After (s)' },
    times: { label: 'How many requests', placeholder: 'all, until removed' },
    operationId: { label: 'Operation', placeholder: 'any' },
    stored: { label: 'Handle the request first' },
    reset: { label: 'Reset the connection' },
    gate: { label: 'Hold until released' },
    headers: { placeholder: '{ "X-Request-Id": "7" }' },
  }
  return (
    <Card title="Add a fault">
      <fieldset class="row" aria-label="Effect">
        {Object.keys(effects).map((name) => (
          <Button key={name} pressed={name === effect} run={() => setQuery({ effect: name })}>
            {name}
          </Button>
        ))}
      </fieldset>
      <SchemaForm
        label="Add a fault"
        schema={useBodySchema('addFaults')}
        names={names}
        more={{
          label: 'Path, probability, headers, body',
          names: more.filter((name) => !names.includes(name)),
        }}
        initial={initial}
        help={help}
        verb="Add fault"
        submit={(fault: object, make) => make(prepareFault(fault), `Added: ${describeFault({ ...fault })}`)}
      />
      <p class="hint">A new fault comes after the others; the first that matches a request acts on it.</p>
    </Card>
  )
}

export function ScenariosPage() {
  const listed = useRead(prepare('get', routes.scenarios.definitions))
  return (
    <div class="columns">
      <Loaded state={listed}>{({ items }) => <ScenarioForm scenarios={items} />}</Loaded>
      <ActiveList
        title="Scenarios"
        state={useRead(prepare('get', routes.scenarios), journalRevision.value)}
        prepareRemoval={(id) => prepare('delete', routes.scenarios[':id'], { param: { id } })}
        removeAll={prepare('delete', routes.scenarios)}
        describe={({ name, text, matched, acted }) =>
          `${name}: ${text} It has acted on ${acted} of ${plural(matched, 'request')}.`
        }
        hasActed={(id, { scenarios }) => scenarios?.some((one) => one.id === id) ?? false}
      />
    </div>
  )
}

function ScenarioForm({ scenarios }: { scenarios: readonly ListedScenario[] }) {
  const [name, setName] = useState(scenarios[0]?.name ?? '')
  const chosen = scenarios.find((one) => one.name === name)
  const options = Object.entries(chosen?.options ?? {})
  const help = options.map(([option, value]): readonly [string, Help] => {
    return [option, { placeholder: `${value ?? ''}`, ...(option === 'on' && { label: 'Operation' }) }]
  })
  return (
    <Card title="Add a scenario">
      <SchemaForm
        label="Add a scenario"
        schema={useBodySchema('addScenario')}
        help={Object.fromEntries(help)}
        verb="Add scenario"
        submit={(body: object, make) => make(prepareScenario({ ...body, name }), `Added ${name}.`)}
      >
        <Field
          label="Scenario"
          value={name}
          set={setName}
          options={toOptions(scenarios.map((one) => one.name))}
        />
        <p class="hint">{chosen?.text}</p>
      </SchemaForm>
    </Card>
  )
}

interface Active {
  readonly id: string
  readonly left?: number | null
}

interface ActiveListProps<T extends Active> {
  readonly title: string
  readonly state: ReadState<{ readonly items: readonly T[] }>
  readonly prepareRemoval: (id: string) => Call
  readonly removeAll: Call
  readonly describe: (item: T) => string
  readonly hasActed: (id: string, request: (typeof requests.value)[number]) => boolean
}

function ActiveList<T extends Active>(props: ActiveListProps<T>) {
  const { title, state, prepareRemoval, removeAll, describe, hasActed } = props
  const items = state.value?.items ?? []
  const active = items.filter(({ left }) => left !== 0)
  const used = items.filter(({ left }) => left === 0)
  const render = (item: T) => {
    const last = requests.value.findLast((request) => hasActed(item.id, request))
    return (
      <li key={item.id} class="row is-apart">
        <span>
          {describe(item)}
          {last && (
            <span class="hint">
              {' '}
              Last: <RequestLink id={last.id} />
            </span>
          )}
        </span>
        <Act
          aria-label={`Remove ${item.id}`}
          call={prepareRemoval(item.id)}
          done={`Removed ${item.id}.`}
          after={focusHeading}
        >
          Remove
        </Act>
      </li>
    )
  }
  return (
    <Card title={`${title} (${active.length})`}>
      <Loaded state={state}>
        {() => (
          <ul class="list is-lined">
            {active.length === 0 && <li class="empty">No {title.toLowerCase()} are active.</li>}
            {active.map(render)}
            {used.length > 0 && (
              <li>
                <Folded title={`${used.length} used up`}>
                  {() => <ul class="list is-lined">{used.map(render)}</ul>}
                </Folded>
              </li>
            )}
          </ul>
        )}
      </Loaded>
      {items.length > 1 && (
        <Act call={removeAll} done={`Removed all ${title.toLowerCase()}.`} after={focusHeading}>
          Remove all
        </Act>
      )}
    </Card>
  )
}

/** Says how a fault changes a response, by its field; the others are written with their names. */
const acts: Readonly<Record<string, (value: unknown) => string>> = {
  status: (value) => `answered with ${toText(value)}`,
  delayMs: (value) => `delayed by ${isRecord(value) ? Object.values(value).join(' to ') : toText(value)} ms`,
  malfunction: (value) => `answered, but broken (${toText(value)})`,
  reset: () => 'cut off without a response',
  gate: () => 'held until they are released',
  profile: (value) => `treated by the profile ${toText(value)}`,
  sequence: (value) => `answered in turn by ${[value].flat().join(', ')}`,
  rateLimit: (value) => `limited to ${Object.values(Object(value)).join(' in ')} seconds`,
  after: (value) => `once ${toText(value)} others have passed`,
  repeat: () => 'again and again',
  stored: () => 'after the service has handled them',
}

/** Describes a fault as a sentence, as in `The next 2 requests of listCustomers are answered with 503.` */
function describeFault(fault: Readonly<Record<string, unknown>>): string {
  const { times, method, operationId, path, ...effect } = dropReport(fault)
  const count = Number(fault['left'] || times || 0)
  const subject = count > 0 ? `The next ${plural(count, 'request')}` : 'All requests'
  const target = [method, operationId ?? path].filter(Boolean).join(' ')
  const done = Object.entries(effect).map(
    ([name, value]) => acts[name]?.(value) ?? `with ${name} ${toText(value)}`,
  )
  return `${subject}${target && ` of ${target}`} ${count === 1 ? 'is' : 'are'} ${done.join(', ')}.`.replace(
    'next 1 request',
    'next request',
  )
}
