import type { FaultInput } from '../../../testing/faults/fault.ts'
import { prepare, prepareFault, routes } from '../../client.ts'
import { type Help, SchemaForm, toOptions, useBodySchema, useOperationIds } from '../../components/form.tsx'
import type { Draft } from '../../components/schema.ts'
import { Button, Card } from '../../components/ui.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { param, setQuery } from '../../place.ts'
import { journalRevision } from '../../shell/overview.ts'
import { ActiveList, describe } from './active-list.tsx'

export function FaultsPage() {
  const name = param('effect')
  return (
    <div class="columns">
      <FaultForm key={name} name={name} effect={effects[name] ?? status} />
      <ActiveList
        title="Faults"
        state={useRead(prepare('get', routes.faults), journalRevision.value)}
        prepareRemoval={(id) => prepare('delete', routes.faults[':id'], { param: { id } })}
        removeAll={prepare('delete', routes.faults)}
        hasActed={(id, request) => request.fault === id}
      />
    </div>
  )
}

interface Effect {
  readonly label: string
  /** The fields that belong to the effect, in front of those that any fault has. */
  readonly fields?: readonly string[]
  /** A fault that is useful at once. */
  readonly initial?: Draft
  readonly fixed?: FaultInput
}

const status: Effect = {
  label: 'Status',
  fields: ['status', 'retryAfterSeconds'],
  initial: { status: '503', times: '1' },
}
const limit = { 'rateLimit.requests': '10', 'rateLimit.windowSeconds': '10' }
const broken = { malfunction: 'truncate', times: '1' }
const effects: Readonly<Record<string, Effect>> = {
  '': status,
  delay: { label: 'Delay', fields: ['delayMs'], initial: { delayMs: '2000' } },
  limit: { label: 'Rate limit', fields: ['rateLimit'], initial: limit },
  broken: { label: 'Broken response', fields: ['malfunction'], initial: broken },
  reset: { label: 'Connection reset', fixed: { reset: true } },
  hold: { label: 'Hold', initial: { times: '1' }, fixed: { gate: true } },
  sequence: { label: 'Sequence', fields: ['sequence', 'repeat'], initial: { sequence: '503, 503, pass' } },
  profile: { label: 'Profile', fields: ['profile'], initial: { profile: 'flaky' } },
}

const more = ['method', 'path', 'after', 'probability', 'delayMs', 'stored', 'headers', 'body']

function FaultForm({ name, effect }: { name: string; effect: Effect }) {
  const { fields = [], initial = {}, fixed } = effect
  const change = useChange()
  const profiles = useRead(prepare('get', routes.faults.profiles)).value?.items ?? []
  const help: Readonly<Record<string, Help>> = {
    profile: {
      options: Object.fromEntries(profiles.map((one) => [one.name, `${one.name}: ${one.description}`])),
    },
    delayMs: { label: 'Delay (ms)', placeholder: '2000 or { "min": 0, "max": 900 }' },
    retryAfterSeconds: { label: 'Retry-After (s)' },
    times: { label: 'How many requests', placeholder: 'all, until removed' },
    operationId: { label: 'Operation', options: toOptions(useOperationIds()) },
    stored: { label: 'Handle the request first' },
    headers: { placeholder: 'X-Request-Id: 7' },
  }
  return (
    <Card title="Add a fault">
      <fieldset class="row" aria-label="Effect">
        {Object.entries(effects).map(([one, { label }]) => (
          <Button key={one} pressed={one === name} run={() => setQuery({ effect: one })}>
            {label}
          </Button>
        ))}
      </fieldset>
      <SchemaForm
        label="Add a fault"
        schema={useBodySchema('addFaults')}
        names={[...fields, 'operationId', ...(name === 'profile' ? [] : ['times'])]}
        more={{
          label: 'Path, probability, headers, body',
          names: more.filter((one) => !fields.includes(one)),
        }}
        initial={initial}
        help={help}
        verb="Add fault"
        change={change}
        submit={(body: object) => {
          const fault = { ...body, ...fixed }
          return change.make(prepareFault(fault), `Added: ${describe(fault)}.`)
        }}
      />
      <p class="hint">The latest fault comes first; the first that matches a request acts on it.</p>
    </Card>
  )
}
