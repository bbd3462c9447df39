import { unpaginatedLists } from '../contract/assumptions.ts'
import type { Verdict } from '../contract/calibration.ts'
import { DEFAULT_LIMIT } from '../contract/fields.ts'
import type { JsonObject } from '../core/json.ts'
import { groupBy } from '../core/maps.ts'
import type { OperationId } from '../resources/index.ts'
import { type Answer, type BodyForm, isSuccess, readBody, toPathKey } from './answers.ts'
import type { Evidence } from './evidence.ts'
import { describeType } from './schemas.ts'

export interface SeenList {
  readonly answer: Answer
  readonly items: ReadonlyMap<number, JsonObject>
  readonly isWhole: boolean
}

const MAX_LISTS = 500

const readNumber = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : undefined

export function joinPages(answers: readonly Answer[], operation: OperationId): readonly SeenList[] {
  const pages = answers.filter(
    (answer) => answer.endpoint.id === operation && isSuccess(answer) && !answer.isBodyOnly,
  )
  const groups = groupBy(pages, (answer) => {
    const { offset: _, limit: __, ...filters } = answer.query
    return `${toPathKey(answer)} ${JSON.stringify(filters)}`
  })
  return [...groups.values()].slice(0, MAX_LISTS).flatMap((group) => {
    const [answer] = group
    return answer ? [{ answer, ...joinRecords(group) }] : []
  })
}

function joinRecords(pages: readonly Answer[]): Pick<SeenList, 'items' | 'isWhole'> {
  const items = new Map<number, JsonObject>()
  let last = 0
  let end: number | undefined
  for (const page of pages) {
    const { records, total, form } = readBody(page)
    const offset = readNumber(page.query['offset']) ?? 0
    const limit = readNumber(page.query['limit']) ?? DEFAULT_LIMIT
    const isPaginated = page.endpoint.returns === 'page'
    if (form === 'array' || form === 'envelope') {
      if (total !== undefined) end = total
      else if (!isPaginated || records.length < limit) end = offset + records.length
    }
    last = Math.max(last, offset + records.length)
    for (const record of records) if (typeof record['id'] === 'number') items.set(record['id'], record)
  }
  return { items, isWhole: end !== undefined && items.size >= end && last >= end }
}

export const isNeutral = (name: string, value: unknown): boolean =>
  name === 'offset' || name === 'limit' || (name === 'scope' && value === 'all')

/** Compares the form of lists. Source: assumptions. */
export function comparePages(answers: readonly Answer[], evidence: Evidence): void {
  for (const answer of answers) {
    const { endpoint } = answer
    if (endpoint.returns !== 'page' || endpoint.assumes === undefined || !isSuccess(answer)) continue
    const { form } = readBody(answer)
    if (form === 'record') continue
    if (form === 'other') evidence.describe('pages', describeType(answer.body))
    evidence.add('pages', form === 'other' ? [] : [form === 'envelope' ? 0 : 1], answer)
  }
}

/** Judges the envelopes of lists without pagination, each operation by itself. Source: assumption A-02. */
export function judgeEnvelopes(answers: readonly Answer[]): Verdict {
  const seen = answers.flatMap((answer) => {
    const { form } = readBody(answer)
    const isList = unpaginatedLists.some((id) => id === answer.endpoint.id)
    return isList && isSuccess(answer) && form !== 'record' ? [{ answer, form, id: answer.endpoint.id }] : []
  })
  const counts = { answers: seen.length, records: 0 }
  const hasForm = (id: string, wanted: BodyForm): boolean =>
    seen.some((one) => one.id === id && one.form === wanted)
  const other = seen.find(({ form }) => form === 'other')
  const described = { ...counts, ...(other && { observed: describeType(other.answer.body) }) }
  if (seen.length === 0) return { verdict: 'undecided', ...counts }
  if (seen.every(({ form }) => form === 'other')) return { verdict: 'otherwise', ...described }
  if (other || unpaginatedLists.some((id) => hasForm(id, 'array') && hasForm(id, 'envelope'))) {
    return { verdict: 'contradictory', ...described }
  }
  const enveloped = unpaginatedLists.filter((id) => hasForm(id, 'envelope'))
  const value = Object.fromEntries(enveloped.map((id) => [id, true]))
  return { verdict: enveloped.length === 0 ? 'confirmed' : 'decided', value, ...counts }
}
