import { useState } from 'preact/hooks'

import type { ListedScenario } from '../../../testing/scenarios/scenario.ts'
import { prepare, prepareScenario, routes } from '../../client.ts'
import { Select, toOptions } from '../../components/form.tsx'
import { SchemaForm, useBodySchema } from '../../components/schema-form.tsx'
import { Card, Loaded } from '../../components/ui.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { journalRevision } from '../../shell/overview.ts'
import { ActionCard, Described, Uses } from './action-card.tsx'

export function ScenariosPage() {
  const active = useRead(prepare('get', routes.scenarios), journalRevision.value)
  const listed = useRead(prepare('get', routes.scenarios.definitions))
  return (
    <div class="columns">
      <div>
        <ActionCard
          title="Scenarios"
          state={active}
          empty="None: data changes only by requests and the clock."
          all={{
            verb: 'Remove all',
            call: prepare('delete', routes.scenarios),
            done: 'Removed all scenarios.',
          }}
          rows={active.value?.items.map(({ id, name, text, matched, acted }) => ({
            verb: 'Remove',
            subject: id,
            call: prepare('delete', routes.scenarios[':id'], { param: { id } }),
            done: `Removed ${name}.`,
            text: (
              <>
                <b>{name}</b> {text}
                <br />
                <Uses
                  id={id}
                  text={`matched ${matched}, acted ${acted}`}
                  isOne={({ scenarios }) => scenarios?.some((one) => one.id === id) ?? false}
                />
              </>
            ),
          }))}
        />
        <Loaded state={listed}>{({ items }) => <OptionsForm scenarios={items} />}</Loaded>
      </div>
      <ActionCard
        title="Add a scenario"
        state={listed}
        rows={listed.value?.items.map(({ name, text }) => ({
          verb: 'Add',
          subject: name,
          call: prepareScenario({ name }),
          done: `Added ${name}.`,
          text: <Described name={name} text={text} />,
        }))}
      />
    </div>
  )
}

function OptionsForm({ scenarios }: { scenarios: readonly ListedScenario[] }) {
  const [name, setName] = useState(scenarios[0]?.name ?? '')
  const change = useChange()
  const options = Object.entries(scenarios.find((scenario) => scenario.name === name)?.options ?? {})
  const help = options.map(([option, value]) => [option, { placeholder: `${value ?? ''}` }] as const)
  return (
    <Card title="With other options">
      <SchemaForm
        label="With other options"
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
      </SchemaForm>
    </Card>
  )
}
