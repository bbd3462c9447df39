import { addDuration } from '../../core/durations.ts'
import { readInSlices, withinSlice } from '../../core/slices.ts'
import type { Data } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { type ReservedIds, Stage } from '../records/stage.ts'
import type { AnsweredRequest, ScenarioHost } from './definition.ts'
import { definitions, type ScenarioName } from './definitions.ts'
import { children, findTable } from './definitions/pages.ts'
import type { ScenarioMemory } from './options.ts'
import type { ActiveScenario } from './scenario.ts'

export type Report = (scenario: { readonly id: string; readonly name: ScenarioName }, did: string) => void

/** Makes the change of a scenario, or the one with which it begins, unless there is nothing to change. Errors: those of a write. */
export async function makeChange(
  state: ActiveScenario,
  request: AnsweredRequest,
  { data, clock }: ScenarioHost,
  report: Report,
  step: 'begin' | 'change' = 'change',
): Promise<void> {
  const { [step]: change, pause: getPause } = definitions[state.name]
  const { options, memory } = state
  if (!change || isDone(state)) return
  const findSubjects = (source: Data) => {
    const customers = findCustomers(request, state, source)
    return { customers, records: findRecords(request, state, customers, source) }
  }
  if (step === 'change' && memory.removed === undefined && options.memberId === undefined) {
    const { customers, records } = await readInSlices(() => findSubjects(data))
    if (customers.length + records.length === 0) return
  }
  const pause = getPause?.(options)
  let remembered = memory
  let acted = 0
  const reserved: ReservedIds = new Map()
  const decide = () => {
    let facts: ScenarioMemory | undefined
    const now = pause === undefined ? clock.now() : clock.after(pause)
    const stage = new Stage(data, () => (pause === undefined ? data.dataset : clock.datasetAt(now)), reserved)
    const remember = (more: ScenarioMemory) => (facts = { ...facts, ...more })
    const context = { stage, options, request, now, memory: state.memory, remember }
    const did = isDone(state) ? undefined : change({ ...context, ...findSubjects(stage.data) })
    // Everything is read by now, so that this runs once.
    if (facts) state.memory = remembered = { ...state.memory, ...facts }
    const origin = { by: 'scenario', scenario: state.name } as const
    const changes = stage.listChanges()
    if (did === undefined) return { changes, origin, result: did }
    acted = step === 'change' ? 1 : 0
    state.acted += acted
    const end = pause === undefined ? undefined : addDuration(now, pause)
    const moved = end === undefined ? undefined : clock.stateAt(end)
    return { changes, at: now, clock: moved, origin, result: did }
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

function findCustomers(
  { caller, endpoint, ids, customerId, hasResponse }: AnsweredRequest,
  { options }: ActiveScenario,
  data: Data,
): Row<'customers'>[] {
  const named = options.customerId ?? customerId
  if (named === undefined && !hasResponse)
    return data.select('customers', [['organizationId', caller.organizationId]]).page()
  const table = endpoint?.resource.table
  const findCustomerId = (id: number): number | undefined => {
    const row = table && data.get(table, id)
    return table === 'customers' ? id : row && 'customerId' in row ? row.customerId : undefined
  }
  const found = new Set(named === undefined ? ids.map(findCustomerId) : [named])
  return [...found].flatMap((id) => (id === undefined ? [] : (data.get('customers', id) ?? [])))
}

function findRecords(
  { endpoint, ids }: AnsweredRequest,
  { options: { collection, customerId, count = 1 } }: ActiveScenario,
  customers: readonly Row<'customers'>[],
  data: Data,
): readonly Row<TableName>[] {
  if (collection === undefined || collection === 'customers') return customers
  if (collection === endpoint?.resource.table) {
    const shown = ids.flatMap((id): Row<TableName>[] => [data.get(collection, id) ?? []].flat())
    return shown.filter(
      (row) => customerId === undefined || ('customerId' in row && row.customerId === customerId),
    )
  }
  const child = findTable(children, collection)
  const rows: Row<TableName>[] = []
  for (const { id } of child ? customers : []) {
    if (!child || rows.length >= count) break
    rows.push(...data.select(child, [['customerId', id]]).page(0, count))
  }
  return rows
}
