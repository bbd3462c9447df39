import { addDuration } from '../../core/durations.ts'
import { readInSlices, withinSlice } from '../../core/slices.ts'
import type { Data } from '../../store/session-data.ts'
import type { Row } from '../../store/tables.ts'
import { type ReservedIds, Stage } from '../records/stage.ts'
import type { AnsweredRequest, ScenarioDefinition, ScenarioHost } from './definition.ts'
import { getDefinition, type ScenarioName } from './definitions.ts'
import { canEdit, findCustomers, findRecords } from './match.ts'
import type { ScenarioMemory } from './options.ts'
import type { ActiveScenario } from './scenario.ts'

export type Report = (scenario: { readonly id: string; readonly name: ScenarioName }, did: string) => void

export async function makeChange(
  state: ActiveScenario,
  request: AnsweredRequest,
  host: ScenarioHost,
  report: Report,
): Promise<void> {
  const { change, pause } = getDefinition(state.name)
  const { options, memory } = state
  if (!change || isDone(state)) return
  if (memory.removed === undefined && options.memberId === undefined) {
    const hasSubject = await readInSlices(() => {
      const customers = findSubjects(request, state, host.data)
      return customers.length + findRecords(request, state, customers, host.data).length > 0
    })
    if (!hasSubject) return
  }
  await write(state, request, host, report, { change, pause: pause?.(options), counts: true })
}

export async function beginChange(
  state: ActiveScenario,
  request: AnsweredRequest,
  host: ScenarioHost,
  report: Report,
): Promise<void> {
  const { begin } = getDefinition(state.name)
  if (!begin || isDone(state) || request.offset > 0) return
  await write(state, request, host, report, { change: begin, counts: false })
}

async function write(
  state: ActiveScenario,
  request: AnsweredRequest,
  { data, clock, time }: ScenarioHost,
  report: Report,
  {
    change,
    pause,
    counts,
  }: { change: NonNullable<ScenarioDefinition['change']>; pause?: string | undefined; counts: boolean },
): Promise<void> {
  const { memory } = state
  let remembered = memory
  let acted = 0
  const reserved: ReservedIds = new Map()
  const decide = () => {
    let facts: ScenarioMemory | undefined
    const now = pause === undefined ? clock.now() : clock.after(pause)
    const stage = new Stage(data, () => (pause === undefined ? data.dataset : time.datasetAt(now)), reserved)
    const customers = findSubjects(request, state, stage.data)
    const context = {
      stage,
      options: state.options,
      request,
      now,
      memory: state.memory,
      remember: (more: ScenarioMemory) => (facts = { ...facts, ...more }),
      customers,
      records: findRecords(request, state, customers, stage.data),
    }
    const result = isDone(state) ? undefined : change(context)
    // Everything is read by now, so that this runs once.
    if (facts) state.memory = remembered = { ...state.memory, ...facts }
    const origin = { by: 'scenario', scenario: state.name } as const
    if (result === undefined) return { changes: [...stage.listChanges()], origin, result }
    acted = counts ? 1 : 0
    state.acted += acted
    const end = pause === undefined ? undefined : addDuration(now, pause)
    return {
      changes: [...stage.listChanges()],
      at: now,
      clock: end === undefined ? undefined : clock.stateAt(end),
      origin,
      result,
    }
  }
  try {
    const did = await readInSlices(() => data.change(() => withinSlice(decide)))
    if (did !== undefined) report(state, did)
  } catch (error) {
    report(state, 'could not store its change')
    state.acted -= acted
    if (state.memory === remembered) state.memory = memory
    throw error
  }
}

const isDone = ({ acted, options }: ActiveScenario): boolean => acted >= (options.times ?? 1)

function findSubjects(request: AnsweredRequest, state: ActiveScenario, data: Data): Row<'customers'>[] {
  const customers = findCustomers(request, state, data)
  return getDefinition(state.name).editsCustomers ? customers.filter(canEdit) : customers
}
