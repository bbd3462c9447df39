import { useState } from 'preact/hooks'

import type { ListedScenario, Scenario } from '../../../scenarios/scenario.ts'
import type { Call } from '../../calls.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { Select } from '../../components/form.tsx'
import { Card } from '../../components/layout.tsx'
import { Loaded } from '../../components/problem.tsx'
import { SchemaForm, useBodySchema } from '../../components/schema-form.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { journalRevision } from '../../shell/overview.ts'
import { ActionList, LastRequest } from './action-list.tsx'

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
  return (
    <ActionList
      empty="None: data changes only by requests and the clock."
      all={{
        verb: 'Remove all',
        call: prepare('delete', routes.scenarios),
        done: 'Removed all scenarios.',
      }}
      rows={scenarios.map(({ id, name, text, matched, acted }) => ({
        verb: 'Remove',
        subject: id,
        call: prepare('delete', routes.scenarios[':id'], { param: { id } }),
        done: `Removed ${id}.`,
        text: (
          <>
            <b>{name}</b>: {text}
            <br />
            <span class="hint">
              {id}: matched {matched}, acted {acted}
              <LastRequest isOne={(request) => request.scenarios?.some((one) => one.id === id) ?? false} />
            </span>
          </>
        ),
      }))}
    />
  )
}

interface ScenarioListProps {
  readonly scenarios: readonly ListedScenario[]
}

/** Lists the scenarios that can be added, each with a button that adds it with its defaults. */
function ScenarioList({ scenarios }: ScenarioListProps) {
  return (
    <ActionList
      rows={scenarios.map(({ name, text }) => ({
        verb: 'Add',
        subject: name,
        call: prepareScenario({ name }),
        done: `Added ${name}.`,
        text: (
          <>
            <b>{name}</b>: <span class="hint">{text}</span>
          </>
        ),
      }))}
    />
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
