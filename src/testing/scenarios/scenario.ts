import * as z from 'zod'

import type { Input } from '../../core/input.ts'
import { removeUndefined } from '../../core/json.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import { endpoints } from '../../service/index.ts'
import { tables } from '../../store/tables.ts'
import { type ActiveFault, createState } from '../faults/faults.ts'
import type { ScenarioDefinition, ScenarioProgress } from './definition.ts'
import { definitions, type ScenarioName, scenarioNames } from './definitions.ts'
import { ScenarioOptions } from './options.ts'

export const MAX_SCENARIOS = 100

const Name = z.enum(scenarioNames)

export const ScenarioInput = lazyStrictObject(() => ({
  name: Name.describe('The scenario. Example: `page-drift`.'),
  ...ScenarioOptions.shape,
}))
  .superRefine(({ name, ...options }, context) => {
    const definition = definitions[name]
    const names = Object.keys(definition.options)
    for (const [option, value] of Object.entries(options)) {
      if (value === undefined || names.includes(option)) continue
      const message = `does not apply to ${name}, whose options are ${names.join(', ')}`
      context.addIssue({ code: 'custom', path: [option], message })
    }
    const completed = completeOptions(name, options)
    const errors = definition.check?.(completed) ?? []
    for (const [option, message] of errors) context.addIssue({ code: 'custom', path: [option], message })
    const { on } = completed
    const possible = endpoints.filter((one) => canActOn(definition, completed, one)).map(({ id }) => id)
    if (on === undefined || possible.includes(on) || possible.length === 0) return
    const message = `must be an operation on which ${name} can act: ${possible.join(', ')} (got ${on})`
    context.addIssue({ code: 'custom', path: ['on'], message })
  })
  .meta({ id: 'ScenarioInput' })

function canActOn(
  { change, turn, canActOn: canAct }: ScenarioDefinition,
  options: ScenarioOptions,
  endpoint: Endpoint,
): boolean {
  if (canAct && !canAct(endpoint, options)) return false
  if (!change) return true
  const { table } = endpoint.resource
  const hasTurn = turn !== 'inner page' || endpoint.returns === 'page'
  return (
    hasTurn &&
    (options.customerId !== undefined ||
      options.memberId !== undefined ||
      options.after === 0 ||
      options.collection === table ||
      table === 'customers' ||
      endpoint.path.includes('{customerId}') ||
      'customerId' in tables[table].row.shape)
  )
}

/** A scenario to play, with its options. */
export interface ScenarioInput extends Input<typeof ScenarioInput> {}

export type ScenarioSettings = z.output<typeof ScenarioInput>

export const Scenario = lazyObject(() => ({
  id: z.string(),
  name: Name,
  ...ScenarioOptions.shape,
  matched: z.int().describe('The number of matching requests that were answered'),
  acted: z.int().describe('How often the scenario has acted'),
  text: z.string().describe('What the scenario does, in one sentence'),
})).meta({ id: 'Scenario' })
export type Scenario = z.output<typeof Scenario>

export const ListedScenario = lazyObject(() => ({
  name: Name,
  text: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
}))
export type ListedScenario = z.output<typeof ListedScenario>

export function listScenarios(): ListedScenario[] {
  return scenarioNames.map((name) => {
    const { text, options } = definitions[name]
    const defaults = Object.entries(options).map(([option, value]) => [option, value ?? null])
    return { name, text, options: Object.fromEntries(defaults) }
  })
}

const completeOptions = (name: ScenarioName, chosen: ScenarioOptions): ScenarioOptions => ({
  ...removeUndefined(definitions[name].options),
  ...removeUndefined(chosen),
})

export interface ActiveScenario extends ScenarioProgress {
  readonly name: ScenarioName
  readonly fault: ActiveFault | undefined
}

/** @param begun the number of commits of the session so far */
export function createScenario(
  id: string,
  { name, ...settings }: ScenarioSettings,
  begun: number,
): ActiveScenario {
  const options = completeOptions(name, settings)
  const carried = definitions[name].fault?.(options)
  const fault = carried && createState(id, carried)
  return { id, name, options, matched: 0, acted: 0, memory: {}, begun, fault }
}
