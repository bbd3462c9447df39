import { Stage } from '../records/stage.ts'
import type { Data } from '../store/session-data.ts'
import type { Row } from '../store/tables.ts'
import type { ActiveScenario } from './active-scenario.ts'
import type { AnsweredRequest, ChangeContext, ScenarioHost, ScenarioMemory } from './definition.ts'
import { define, type ScenarioName } from './definitions.ts'
import { canEdit } from './edit.ts'
import { findCustomers } from './match.ts'
import type { ScenarioOptions } from './options.ts'

/** Records that a scenario has acted on the present request. */
export type Report = (scenario: { readonly id: string; readonly name: ScenarioName }, did: string) => void

/** Makes the change of a scenario, if there is something to change. Errors: those of a write. */
export async function makeChange(
  state: ActiveScenario,
  request: AnsweredRequest,
  host: ScenarioHost,
  report: Report,
): Promise<void> {
  const { change, pause } = define(state.name)
  const { options, memory } = state
  const hasSubject =
    memory.removed !== undefined ||
    options.memberId !== undefined ||
    findSubjects(request, state, host.data).length > 0
  if (!change || isDone(state) || !hasSubject) return
  const wait = (): void => {
    if (pause) host.clock.advance(pause(options))
  }
  wait()
  const did = await write(state, request, host, (context) => {
    const result = change(context)
    if (result !== undefined) state.acted += 1
    return result
  })
  wait()
  if (did !== undefined) report(state, did)
}

/** Makes the change before a list that the change of a scenario is going to follow. Errors: those of a write. */
export async function beginChange(
  state: ActiveScenario,
  request: AnsweredRequest,
  host: ScenarioHost,
  report: Report,
): Promise<void> {
  const { begin } = define(state.name)
  if (!begin || isDone(state) || request.offset > 0) return
  const did = await write(state, request, host, begin)
  if (did !== undefined) report(state, did)
}

function write(
  state: ActiveScenario,
  request: AnsweredRequest,
  { data, clock }: ScenarioHost,
  change: (context: ChangeContext<ScenarioOptions>) => string | undefined,
): Promise<string | undefined> {
  const remember = (facts: ScenarioMemory) => (state.memory = { ...state.memory, ...facts })
  return data.change(() => {
    const stage = new Stage(data, () => data.dataset)
    const customers = findSubjects(request, state, stage.data)
    const { options, memory } = state
    const context = { stage, options, request, now: clock.now(), memory, remember, customers }
    const result = isDone(state) ? undefined : change(context)
    return { changes: stage.commit(), result }
  })
}

const isDone = ({ acted, options }: ActiveScenario): boolean => acted >= (options.times ?? 1)

/** Finds the customers that a scenario can act on. */
function findSubjects(request: AnsweredRequest, state: ActiveScenario, data: Data): Row<'customers'>[] {
  const customers = findCustomers(request, state, data)
  return define(state.name).editsCustomers ? customers.filter(canEdit) : customers
}
