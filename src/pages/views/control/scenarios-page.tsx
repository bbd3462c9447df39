import { useState } from 'preact/hooks'

import type { ListedScenario } from '../../../testing/scenarios/scenario.ts'
import { prepare, prepareScenario, routes } from '../../client.ts'
import { SchemaForm, Select, toOptions, useBodySchema } from '../../components/form.tsx'
import { Card, Loaded } from '../../components/ui.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { journalRevision } from '../../shell/overview.ts'
import { ActiveList } from './active-list.tsx'

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
        hasActed={(id, { scenarios }) => scenarios?.some((one) => one.id === id) ?? false}
      />
    </div>
  )
}

function ScenarioForm({ scenarios }: { scenarios: readonly ListedScenario[] }) {
  const [name, setName] = useState(scenarios[0]?.name ?? '')
  const change = useChange()
  const chosen = scenarios.find((one) => one.name === name)
  const options = Object.entries(chosen?.options ?? {})
  const help = options.map(([option, value]) => [option, { placeholder: `${value ?? ''}` }] as const)
  return (
    <Card title="Add a scenario">
      <SchemaForm
        label="Add a scenario"
        schema={useBodySchema('addScenario')}
        names={options.map(([option]) => option)}
        help={{ ...Object.fromEntries(help), on: { label: 'Operation' } }}
        verb="Add scenario"
        change={change}
        submit={(body: object) => change.make(prepareScenario({ ...body, name }), `Added ${name}.`)}
      >
        <Select
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
