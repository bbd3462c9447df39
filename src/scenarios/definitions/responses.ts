import { isObject } from '../../contract/json.ts'
import { SessionData } from '../../store/session-data.ts'
import { type AnsweredRequest, defineScenario, type ScenarioState } from '../definition.ts'

/** Lets lists lag behind single records. */
export const lateVisibility = defineScenario({
  text: 'For some time after a change, lists show records as they were before, while single records are up to date.',
  options: { on: undefined, seconds: 30 },
  keepsSeconds: ({ seconds }) => seconds,
  view: ({ isList }, { options, memory }, { data, clock, datasetAt }) => {
    if (!isList) return undefined
    const seenAt = new Date(Date.parse(clock.now()) - options.seconds * 1_000).toISOString()
    const hidden = memory.past?.find(({ at }) => at > seenAt)
    const dataset = datasetAt(seenAt)
    if (!hidden && dataset === data.dataset) return undefined
    const lagging = new SessionData(() => dataset)
    lagging.restore(hidden?.before ?? data.snapshot())
    return { data: lagging, did: `answered as of ${seenAt}` }
  },
})

/** The places of enumerations: the table of a field, and the way to it. */
const enumerations: Readonly<Record<string, readonly string[]>> = {
  'signals.status': ['status'],
  'customers.segment': ['segment'],
  'customers.products.status': ['products', 'status'],
  'triggerLogs.status': ['status'],
}

/** Chooses the first records that a response shows, and keeps to them. */
function isChosen(id: number, state: ScenarioState & { options: { count: number } }): boolean {
  const { ids = [] } = state.memory
  if (ids.includes(id)) return true
  if (ids.length >= state.options.count) return false
  state.memory = { ...state.memory, ids: [...ids, id] }
  return true
}

/** Sends a value that an enumeration does not have. */
export const newEnumValue = defineScenario({
  text: 'Some records have a value that their enumeration does not have, as after an update of the service.',
  options: { on: undefined, after: 0, count: 1, field: 'signals.status', value: 'paused' },
  check: ({ field }) =>
    Object.hasOwn(enumerations, field)
      ? []
      : [['field', `must be one of ${Object.keys(enumerations).join(', ')}`]],
  rewrite: (record, { table }, state) => {
    const { field, value } = state.options
    const [owner] = field.split('.')
    const id: unknown = Reflect.get(record, 'id')
    if (table !== owner || typeof id !== 'number' || !isChosen(id, state)) return undefined
    return setValue(record, enumerations[field] ?? [], value)
  },
})

/** Returns a copy of a value in which the field at a path has another value; in a list, that of the first item. */
function setValue(target: object, [name = '', ...rest]: readonly string[], value: string): object {
  if (rest.length === 0) return { ...target, [name]: value }
  const inner: unknown = Reflect.get(target, name)
  if (!Array.isArray(inner)) return target
  return {
    ...target,
    [name]: inner.map((item, at) => (at === 0 && isObject(item) ? setValue(item, rest, value) : item)),
  }
}

/** Adds a field that the document does not have. */
export const extraField = defineScenario({
  text: 'Every record of a collection has a further field, as after an update of the service.',
  options: {
    on: undefined,
    after: 0,
    collection: 'customers',
    field: 'lifecycleStage',
    value: 'expansion',
  },
  rewrite: (record, { table }: AnsweredRequest, { options }) =>
    table === options.collection ? { ...record, [options.field]: options.value } : undefined,
})
