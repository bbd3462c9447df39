import type { ActiveFault } from '../faults/decide.ts'
import { createState } from '../faults/faults.ts'
import { ChangeHistory } from '../living/change-history.ts'
import type { ScenarioProgress } from './definition.ts'
import { define, type ScenarioName } from './definitions.ts'
import { completeOptions, type ScenarioSettings } from './scenario.ts'

export interface ActiveScenario extends ScenarioProgress {
  readonly name: ScenarioName
  readonly fault: ActiveFault | undefined
}

export function createScenario(id: string, { name, ...settings }: ScenarioSettings): ActiveScenario {
  const options = completeOptions(name, settings)
  const definition = define(name)
  const carrier = definition.fault?.(options)
  const fault = carrier && createState(id, carrier)
  const history = definition.keepsSeconds && new ChangeHistory()
  return { id, name, options, matched: 0, acted: 0, memory: {}, history, fault }
}

export const copyState = (state: ActiveScenario): ActiveScenario => ({
  ...state,
  history: state.history?.fork(),
  fault: state.fault && { ...state.fault },
})
