import { utcDateTime } from '../contract/fields.ts'
import type { Answer } from './answers.ts'
import type { Evidence } from './evidence.ts'
import { joinPages, type SeenList } from './lists.ts'

/** The range in which a record's true time is: the wire format may cut its digits. Units: milliseconds since 1970. */
interface Range {
  first: number
  last: number
}

interface Bound {
  readonly list: SeenList
  readonly ms: number
  readonly hasMore: boolean
}

const filters = [
  { operation: 'listCustomers', parameter: 'updatedSince', field: 'updatedDate' },
  { operation: 'listCustomerMeetings', parameter: 'minStartDate', field: 'startDate' },
] as const

/** Compares lists that are filtered by time. Returns the answers that leave out a record at the bound itself. Source: assumption A-33. */
export function compareDates(answers: readonly Answer[], evidence: Evidence): readonly Answer[] {
  return filters.flatMap(({ operation, parameter, field }) => {
    const lists = joinPages(answers, operation)
    const ranges = collectRanges(lists, field)
    const bounds = lists.flatMap((list) => readBound(list, parameter) ?? [])
    const exclusive = bounds.filter(
      (bound) =>
        !bound.hasMore &&
        [...listCandidates(bound, ranges)].some(
          ({ range, isShown }) => !isShown && range.first === bound.ms && range.last === bound.ms,
        ),
    )
    for (const bound of bounds) if (!bound.hasMore) narrow(bound, ranges)
    for (const bound of bounds) if (bound.hasMore) compareBound(bound, ranges, evidence)
    return exclusive.map(({ list }) => list.answer)
  })
}

function collectRanges(lists: readonly SeenList[], field: string): Map<string, Range> {
  const ranges = new Map<string, Range>()
  for (const list of lists) {
    for (const [id, record] of list.items) {
      const range = readRange(record[field])
      if (range) ranges.set(toKey(list, id), range)
    }
  }
  return ranges
}

const toKey = ({ answer }: SeenList, id: number): string => `${answer.parameters['customerId'] ?? ''} ${id}`

function readRange(value: unknown): Range | undefined {
  if (typeof value !== 'string') return undefined
  const first = Date.parse(value)
  if (Number.isNaN(first) || !/T\d\d:\d\d:\d\d/.test(value)) return undefined
  return { first, last: /\.\d{3}/.test(value) ? first : first + 999 }
}

function readBound(list: SeenList, parameter: string): Bound | undefined {
  const { [parameter]: text, scope, offset: _, limit: __, ...others } = list.answer.query
  if (typeof text !== 'string' || !utcDateTime.safeParse(text).success) return undefined
  if (Object.keys(others).length > 0 || (scope !== undefined && scope !== 'all')) return undefined
  const [, beyond = ''] = /\.\d{3}(\d+)Z$/.exec(text) ?? []
  return { list, ms: Date.parse(text.replace(/(\.\d{3})\d+Z$/, '$1Z')), hasMore: /[1-9]/.test(beyond) }
}

function* listCandidates(
  { list }: Bound,
  ranges: ReadonlyMap<string, Range>,
): Iterable<{ readonly range: Range; readonly isShown: boolean }> {
  const customer = list.answer.parameters['customerId'] ?? ''
  for (const [key, range] of ranges) {
    const [owner, id] = key.split(' ')
    if (owner !== customer) continue
    const isShown = list.items.has(Number(id))
    if (isShown || list.isWhole) yield { range, isShown }
  }
}

function narrow(bound: Bound, ranges: ReadonlyMap<string, Range>): void {
  for (const { range, isShown } of listCandidates(bound, ranges)) {
    if (isShown) range.first = Math.max(range.first, Math.min(bound.ms, range.last))
    else range.last = Math.min(range.last, Math.max(bound.ms - 1, range.first))
  }
}

function compareBound(bound: Bound, ranges: ReadonlyMap<string, Range>, evidence: Evidence): void {
  let [exact, cut] = [0, 0]
  for (const { range, isShown } of listCandidates(bound, ranges)) {
    if (isShown && range.last <= bound.ms) cut += 1
    else if (!isShown && range.first >= bound.ms && range.last <= bound.ms) exact += 1
  }
  const { answer } = bound.list
  if (exact > 0) evidence.add('dateFilters', [0], answer, exact)
  if (cut > 0) evidence.add('dateFilters', [1], answer, cut)
}
