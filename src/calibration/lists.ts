import { DEFAULT_LIMIT } from '../contract/fields.ts'
import { type Answer, isSuccess, toPathKey } from './answers.ts'
import { readBody } from './records.ts'

/** A list with the same filters, over all of its pages. */
export interface SeenList {
  /** The first answer. */
  readonly answer: Answer
  /** Every record, by id. */
  readonly items: ReadonlyMap<number, Readonly<Record<string, unknown>>>
  /** Whether the pages show all matches. */
  readonly isWhole: boolean
}

/** The maximum number of lists of an operation that are compared. */
const MAX_LISTS = 500

const readNumber = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : undefined

/** Joins the pages of each list of an operation. */
export function joinPages(answers: readonly Answer[], operation: string): readonly SeenList[] {
  const groups = new Map<string, Answer[]>()
  for (const answer of answers) {
    if (answer.endpoint.id !== operation || !isSuccess(answer) || answer.isBodyOnly) continue
    const { offset: _, limit: __, ...filters } = answer.query
    const key = `${toPathKey(answer)} ${JSON.stringify(filters)}`
    const group = groups.get(key) ?? []
    group.push(answer)
    groups.set(key, group)
  }
  return [...groups.values()].slice(0, MAX_LISTS).flatMap((pages) => {
    const [answer] = pages
    return answer ? [{ answer, ...joinRecords(pages) }] : []
  })
}

function joinRecords(pages: readonly Answer[]): Pick<SeenList, 'items' | 'isWhole'> {
  const items = new Map<number, Readonly<Record<string, unknown>>>()
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
