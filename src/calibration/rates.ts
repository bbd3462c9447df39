import type { OperationId } from '../resources/index.ts'
import { type Answer, isSuccess, readBody } from './answers.ts'
import { joinPages } from './lists.ts'

export interface Rate {
  readonly subject: string
  /** Rounded to two digits. */
  readonly value: number
  /** The option that shapes the sandbox alike; undefined if there is none. */
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
