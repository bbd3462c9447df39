import { type AssumptionId, assumptions } from '../contract/assumptions.ts'
import { isObject, type JsonObject, listObjects } from '../core/json.ts'
import { pluralize } from '../core/words.ts'
import type { OperationId } from '../resources/index.ts'
import type { TableName } from '../store/tables.ts'
import { type Answer, readBody, isSuccess } from './answers.ts'
import { isNewestFirst } from './comparisons.ts'
import { joinPages } from './lists.ts'

type FixedId = {
  [K in AssumptionId]: (typeof assumptions)[K] extends { readonly choice: unknown } ? never : K
}[AssumptionId]

export interface FixedObservation {
  readonly id: FixedId
  readonly subject: string
  readonly observed: string
  readonly answers: number
}

interface Comparison {
  readonly names: readonly [fits: string, differs: string]
  readonly fits: (answer: Answer) => boolean | undefined
}

const compareValues =
  (table: TableName, list: (record: JsonObject) => readonly unknown[], fits: (value: unknown) => boolean) =>
  (answer: Answer): boolean | undefined => {
    const values = answer.endpoint.resource.table === table ? readBody(answer).records.flatMap(list) : []
    return values.length === 0 ? undefined : values.every(fits)
  }

const comparisons: Readonly<Record<FixedId, Comparison | string>> = {
  'A-31': 'answers do not show how a token is obtained',
  'A-36': {
    names: ['no limit', 'requests are limited (429)'],
    fits: ({ status }) => (status === 429 ? false : undefined),
  },
  'A-38': 'records do not show whether they are active',
  'A-40': 'answers do not show what the service compares updatedSince to',
  'A-42': { names: ['newest first', 'not newest first'], fits: isNewestFirst },
  'A-43': 'answers show only what the caller may see',
  'A-44': {
    names: ['whole numbers from 1 to 5', 'other values'],
    fits: compareValues(
      'signals',
      ({ severity }) => (severity === undefined ? [] : [severity]),
      (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 5,
    ),
  },
  'A-45': 'no field has a currency',
  'A-46': {
    names: ['names of countries', 'codes of countries'],
    fits: compareValues(
      'customers',
      ({ country }) => (typeof country === 'string' && country !== '' ? [country] : []),
      (value) => !/^[A-Z]{2,3}$/.test(String(value)),
    ),
  },
  'A-47': {
    names: ['drafts of signals are listed', ''],
    fits: compareValues(
      'signals',
      ({ isDraft }) => (isDraft === true ? [isDraft] : []),
      () => true,
    ),
  },
  'A-48': {
    names: ['null for a field or metric without a value', ''],
    fits: compareValues(
      'customers',
      ({ customFields, products }) =>
        [
          ...listObjects(customFields),
          ...listObjects(products).flatMap(({ metrics }) => listObjects(metrics)),
        ]
          .map(({ value }) => value)
          .filter((value) => value === null),
      () => true,
    ),
  },
  'A-49': {
    names: ['colors like #d64545', 'colors of another form'],
    fits: compareValues(
      'signals',
      ({ type }) => (isObject(type) && type['color'] !== undefined ? [type['color']] : []),
      (value) => /^#[\da-f]{6}$/i.test(String(value)),
    ),
  },
}

export function observeFixed(answers: readonly Answer[]): readonly FixedObservation[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
  return (Object.keys(comparisons) as FixedId[]).map((id) => {
    const { subject } = assumptions[id]
    const comparison = comparisons[id]
    if (typeof comparison === 'string') {
      return { id, subject, observed: `not observable: ${comparison}`, answers: 0 }
    }
    const results = answers.flatMap((answer) => comparison.fits(answer) ?? [])
    const differing = results.filter((fits) => !fits).length
    const [same, other] = comparison.names
    if (results.length === 0) return { id, subject, observed: 'nothing seen', answers: 0 }
    const observed =
      differing === 0 ? `as assumed: ${same}` : `otherwise: ${other} in ${pluralize(differing, 'answer')}`
    return { id, subject, observed, answers: results.length }
  })
}

export interface Rate {
  readonly subject: string
  readonly value: number
  readonly option: string | undefined
}

const [MIN_SIZE, MAX_SIZE] = [3, 100_000]

const DAY_MS = 86_400_000

export function measureRates(answers: readonly Answer[]): readonly Rate[] {
  const customers = countAll(answers, 'listCustomers')
  const signals = countAll(answers, 'listSignals')
  const size = customers === undefined ? undefined : Math.min(MAX_SIZE, Math.max(MIN_SIZE, customers))
  return [
    ...toRate('customers', customers, size === undefined ? undefined : `--size ${size}`),
    ...toRate('signals per customer', customers && signals !== undefined ? signals / customers : undefined),
    ...toRate('meetings per customer', averageTotal(answers, 'listCustomerMeetings')),
    ...toRate('notes per customer', averageTotal(answers, 'listCustomerNotes')),
    ...toRate('customers changed per day', countChanges(answers)),
  ]
}

function toRate(subject: string, value: number | undefined, option?: string): Rate[] {
  return value === undefined ? [] : [{ subject, value: Math.round(value * 100) / 100, option }]
}

function countAll(answers: readonly Answer[], operation: OperationId): number | undefined {
  const lists = joinPages(answers, operation)
  const whole = lists.find(({ answer }) => Object.keys(answer.query).every(isPaging))
  return whole && (readBody(whole.answer).total ?? (whole.isWhole ? whole.items.size : undefined))
}

const isPaging = (name: string): boolean => name === 'offset' || name === 'limit'

function averageTotal(answers: readonly Answer[], operation: OperationId): number | undefined {
  const totals = answers
    .filter((answer) => answer.endpoint.id === operation && isSuccess(answer))
    .filter(({ query, isBodyOnly }) => !isBodyOnly && Object.keys(query).every(isPaging))
    .flatMap((answer) => readBody(answer).total ?? [])
  return totals.length === 0 ? undefined : totals.reduce((sum, total) => sum + total, 0) / totals.length
}

/** Counts the customers whose last change is in the week before the latest one. Units: per day. */
function countChanges(answers: readonly Answer[]): number | undefined {
  const list = joinPages(answers, 'listCustomers').find(
    ({ answer, isWhole }) => isWhole && Object.keys(answer.query).every(isPaging),
  )
  const times = [...(list?.items.values() ?? [])]
    .map(({ updatedDate }) => Date.parse(String(updatedDate)))
    .filter((time) => !Number.isNaN(time))
  if (times.length < 2) return undefined
  const latest = times.reduce((a, b) => Math.max(a, b))
  return times.filter((time) => latest - time < 7 * DAY_MS).length / 7
}
