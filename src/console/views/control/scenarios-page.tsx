import { useRef, useState } from 'preact/hooks'

import type { ListedScenario, Scenario } from '../../../scenarios/scenario.ts'
import type { Call } from '../../calls.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { Select } from '../../components/form.tsx'
import { Loaded, Problem } from '../../components/problem.tsx'
import { SchemaForm, useBodySchema } from '../../components/schema-form.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'
import { linkTo } from '../../place.ts'
import { journalRevision } from '../../shell/overview.ts'

/** Renders the scenarios that can be added, the active ones, and a form for those with other options. */
export function ScenariosPage() {
  const active = useRead(prepare('get', routes.scenarios), journalRevision.value)
  const listed = useRead(prepare('get', routes.scenarios.definitions))
  const count = active.value?.items.length ?? 0
  return (
    <div class="columns">
      <div>
        <Card title={count > 0 ? `Scenarios (${count})` : 'Scenarios'}>
          <Loaded state={active}>{({ items }) => <ActiveScenarios scenarios={items} />}</Loaded>
        </Card>
        <Loaded state={listed}>{({ items }) => <OptionsForm scenarios={items} />}</Loaded>
      </div>
      <Card title="Add a scenario">
        <Loaded state={listed}>{({ items }) => <ScenarioList scenarios={items} />}</Loaded>
      </Card>
    </div>
  )
}

const prepareScenario = (scenario: object): Call =>
  prepare('post', routes.scenarios, { json: castBody(scenario) })

/** Lists the scenarios of the session with their counts. */
function ActiveScenarios({ scenarios }: { readonly scenarios: readonly Scenario[] }) {
  const { make, error } = useChange()
  const list = useRef<HTMLDivElement>(null)
  const remove = async (call: Call, done: string): Promise<void> => {
    if (await make(call, done)) list.current?.closest('section')?.querySelector('h2')?.focus()
  }
  return (
    <div ref={list}>
      <Problem error={error} />
      {scenarios.length === 0 && <p class="empty">None: data changes only by requests and the clock.</p>}
      <ul class="list fault-list">
        {scenarios.map((scenario) => (
          <ScenarioRow
            key={scenario.id}
            scenario={scenario}
            remove={() =>
              void remove(
                prepare('delete', routes.scenarios[':id'], { param: { id: scenario.id } }),
                `Removed ${scenario.id}.`,
              )
            }
          />
        ))}
      </ul>
      {scenarios.length > 1 && (
        <button
          type="button"
          onClick={() => void remove(prepare('delete', routes.scenarios), 'Removed all scenarios.')}
        >
          Remove all
        </button>
      )}
    </div>
  )
}

interface ScenarioRowProps {
  readonly scenario: Scenario
  readonly remove: () => void
}

function ScenarioRow({ scenario, remove }: ScenarioRowProps) {
  const { id, name, text, matched, acted } = scenario
  const last = requests.value.findLast((request) => request.scenarios?.some((one) => one.id === id))
  return (
    <li>
      <button type="button" class="small" aria-label={`Remove ${id}`} onClick={remove}>
        Remove
      </button>
      <span>
        <b>{name}</b>: {text}
        <br />
        <span class="hint">
          {id}: matched {matched}, acted {acted}
          {last && (
            <>
              , last on <a href={linkTo('traffic', [`${last.id}`])}>request {last.id}</a>
            </>
          )}
        </span>
      </span>
    </li>
  )
}

interface ScenarioListProps {
  readonly scenarios: readonly ListedScenario[]
}

/** Lists the scenarios that can be added, each with a button that adds it with its defaults. */
function ScenarioList({ scenarios }: ScenarioListProps) {
  const { make, error } = useChange()
  return (
    <>
      <ul class="list fault-list">
        {scenarios.map(({ name, text }) => (
          <li key={name}>
            <button
              type="button"
              class="small"
              aria-label={`Add ${name}`}
              onClick={() => void make(prepareScenario({ name }), `Added ${name}.`)}
            >
              Add
            </button>
            <span>
              <b>{name}</b>: <span class="hint">{text}</span>
            </span>
          </li>
        ))}
      </ul>
      <Problem error={error} />
    </>
  )
}

/** Renders a form that adds a scenario with other options than its defaults. */
function OptionsForm({ scenarios }: ScenarioListProps) {
  const [name, setName] = useState(scenarios[0]?.name ?? '')
  const change = useChange()
  const options = scenarios.find((scenario) => scenario.name === name)?.options ?? {}
  const help = Object.fromEntries(
    Object.entries(options).map(([option, value]) => [
      option,
      { placeholder: value === null ? '' : `${value}` },
    ]),
  )
  const add = (body: object) => change.make(prepareScenario({ ...body, name }), `Added ${name}.`)
  return (
    <Card title="With other options">
      <SchemaForm
        label="With other options"
        schema={useBodySchema('addScenario')}
        names={Object.keys(options)}
        help={{ ...help, on: { label: 'Operation' } }}
        verb="Add scenario"
        change={change}
        submit={add}
      >
        <Select
          label="Scenario"
          value={name}
          set={setName}
          options={Object.fromEntries(scenarios.map((one) => [one.name, one.name]))}
        />
      </SchemaForm>
    </Card>
  )
}
