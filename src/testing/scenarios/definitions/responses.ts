import * as z from 'zod'

import { runAtOnce } from '../../../core/slices.ts'
import { endpoints } from '../../../service/index.ts'
import type { Dataset } from '../../../store/dataset.ts'
import { listReversals, type PastCommit } from '../../../store/history.ts'
import type { SessionData } from '../../../store/session-data.ts'
import { type Change, tables, toChange } from '../../../store/tables.ts'
import { findDifferences } from '../../records/differences.ts'
import { defineScenario } from '../definition.ts'

export const lateVisibility = defineScenario({
  text: 'For some time after a change, lists show records as they were before, while single records are up to date.',
  options: { on: undefined, seconds: 30, lag: 'all' },
  lagSeconds: ({ seconds }) => seconds,
  canActOn: ({ returns }) => returns !== 'one',
  view: ({ endpoint, customerId }, { options, begun }, { data, clock }, viewed) => {
    // Data that lags more already shows nothing newer.
    if (!endpoint || endpoint.returns === 'one' || viewed !== data) return undefined
    const seenAt = new Date(Date.parse(clock.now()) - options.seconds * 1_000).toISOString()
    const isMixed = options.lag === 'alternate'
    const isHidden = ({ number }: PastCommit): boolean => !isMixed || (number - begun) % 2 === 1
    const hidden = listReversals((data.history.listAfter(seenAt, begun) ?? []).filter(isHidden))
    const dataset = clock.datasetAt(seenAt)
    const { table, embeds } = endpoint.resource
    const isStill = [table, ...embeds].every((name) => dataset.tables[name] === data.dataset.tables[name])
    const lagging = data.copy(() => (isMixed ? data.dataset : dataset))
    lagging.load(hidden)
    const isInList = (row: object | undefined): boolean =>
      row !== undefined && (customerId === undefined || Reflect.get(row, 'customerId') === customerId)
    const isShown = (change: Change): boolean =>
      change.table === table
        ? [data, lagging].some((one) => isInList(one.get(table, change.id)))
        : embeds.includes(change.table)
    if (isStill && !hidden.some(isShown)) return undefined
    if (isMixed) lagging.load(listEarlier(dataset, lagging))
    return { data: lagging, did: `answered as of ${seenAt}` }
  },
})

/** Lists the earlier rows of every other record that time has changed: of those with an odd id. */
function listEarlier(earlier: Dataset, data: SessionData): Change[] {
  return Array.from(runAtOnce(findDifferences(earlier, data.dataset))).flatMap(([table, differences]) =>
    differences
      .filter(({ id }) => id % 2 === 1 && !data.isChanged(table, id))
      .map(({ id, before }) => toChange(table, id, before ?? null)),
  )
}

const enumerations = new Map<string, () => readonly string[]>([
  ['signals.status', () => tables.signals.row.shape.status.options],
  ['customers.segment', () => []],
  ['triggerLogs.status', () => tables.triggerLogs.row.shape.status.options],
])

export const newEnumValue = defineScenario({
  text: 'Some records have a value that their enumeration does not have, as after an update of the service.',
  options: { on: undefined, after: 0, count: 1, field: 'signals.status', value: 'paused' },
  check: ({ field, value }) => {
    const values = enumerations.get(field)?.()
    if (!values) return [['field', `must be one of ${[...enumerations.keys()].join(', ')}`]]
    return values.includes(value) ? [['value', `must be a new one: ${field} has ${values.join(', ')}`]] : []
  },
  canActOn: ({ resource }, { field }) => field.startsWith(`${resource.table}.`),
  rewrite: (record, { endpoint }, state) => {
    const { field, value } = state.options
    const [, name = ''] = field.split('.')
    const { id } = record
    if (!field.startsWith(`${endpoint?.resource.table}.`) || typeof id !== 'number') return undefined
    const { ids = [] } = state.memory
    if (!ids.includes(id)) {
      if (ids.length >= state.options.count) return undefined
      state.memory = { ...state.memory, ids: [...ids, id] }
    }
    return { ...record, [name]: value }
  },
})

function listFields(collection: string): string[] {
  return endpoints.flatMap(({ resource: { table, shape } }) =>
    table === collection && shape instanceof z.ZodObject ? Object.keys(shape.shape) : [],
  )
}

export const extraField = defineScenario({
  text: 'Every record of a collection has a further field, as after an update of the service.',
  options: { on: undefined, after: 0, collection: 'customers', field: 'lifecycleStage', value: 'expansion' },
  check: ({ collection, field }) => {
    const names = listFields(collection)
    const collections = new Set(endpoints.map(({ resource }) => resource.table))
    if (names.length === 0) return [['collection', `must be one of ${[...collections].join(', ')}`]]
    return names.includes(field) ? [['field', `must be a new one: ${collection} have ${field}`]] : []
  },
  canActOn: ({ resource }, { collection }) => resource.table === collection,
  rewrite: (record, { endpoint }, { options }) =>
    endpoint?.resource.table === options.collection
      ? { ...record, [options.field]: options.value }
      : undefined,
})

export const wrongTotal = defineScenario({
  text: 'The totalCount of pages is too low or too high, while their records are right.',
  options: { on: undefined, after: 0, count: 1, total: 'low' },
  canActOn: ({ returns }) => returns === 'page',
  rewriteTotal: (total, { count, total: side }) =>
    side === 'low' ? Math.max(total - count, 0) : total + count,
})
