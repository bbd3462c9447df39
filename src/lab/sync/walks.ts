import type { TableName } from '../../store/tables.ts'
import { isOfCustomer } from './collections.ts'
import type { Read } from './reads.ts'
import type { Walk } from './verdict.ts'

export interface Pages {
  readonly table: TableName
  readonly reads: readonly Read[]
  /** The last answer to each page. Order: by offset. */
  readonly answered: readonly Read[]
  /** The requests that were not answered with a page, and not repeated with success. Order: by id. */
  readonly lost: readonly Read[]
  readonly isComplete: boolean
  readonly isFull: boolean
  readonly first: Read
  readonly last: Read
}

export interface Run {
  readonly first: Read
  readonly walks: readonly Pages[]
}

export function findWalks(reads: readonly Read[]): Pages[] {
  const walks: Read[][] = []
  const latest = new Map<string, Read[]>()
  for (const read of reads) {
    if (!read.range) continue
    const current = latest.get(read.family)
    if (current && continues(current, read)) current.push(read)
    else {
      const started = [read]
      walks.push(started)
      latest.set(read.family, started)
    }
  }
  return walks.map(createPages)
}

function continues(walk: readonly Read[], { list, range }: Read): boolean {
  if (walk[0]?.list !== list) return false
  const isFirstPage = range?.offset === 0
  return !isFirstPage || !walk.some((one) => one.range?.offset === 0 && one.rows)
}

function createPages(reads: readonly Read[]): Pages {
  const [first] = reads
  const last = reads.at(-1)
  if (!first || !last) throw new RangeError('A walk has at least one request.')
  const byOffset = new Map(
    reads.filter(({ rows }) => rows).map((read) => [read.range?.offset ?? 0, read] as const),
  )
  const answered = [...byOffset.values()].toSorted((a, b) => getOffset(a) - getOffset(b))
  const lost = reads.filter((read) => !read.rows && !byOffset.has(getOffset(read)))
  let end = 0
  for (const { range } of answered) if (range && range.offset <= end) end = Math.max(end, range.end)
  const { total } = answered.at(-1) ?? {}
  return {
    table: first.table,
    reads,
    answered,
    lost,
    isComplete: total !== undefined && end >= total,
    isFull: first.cursor === undefined && !first.isFiltered,
    first,
    last,
  }
}

export const getOffset = ({ range }: Read): number => range?.offset ?? 0
export const getEnd = ({ range }: Read): number => range?.end ?? Infinity

/**
 * Divides the walks through the lists of a collection into runs: one ends where a list is read again that it has read
 * before. Collections of customers are read in the runs of the list of customers, if the client reads that.
 */
export function findRuns(walks: readonly Pages[], table: TableName): Run[] {
  const readsCustomers = isOfCustomer(table) && walks.some((walk) => walk.table === 'customers')
  const leading = readsCustomers ? 'customers' : table
  const runs: Pages[][] = []
  let families = new Set<string>()
  for (const walk of walks.filter((one) => one.table === table || one.table === leading)) {
    const isNew = walk.table === leading && families.has(walk.first.family)
    if (isNew || runs.length === 0) {
      runs.push([])
      families = new Set()
    }
    families.add(walk.first.family)
    runs.at(-1)?.push(walk)
  }
  return runs.flatMap((run) => run.slice(0, 1).map(({ first }) => ({ first, walks: run })))
}

export function describeWalk({ reads, answered, first, isFull, isComplete }: Pages, run: number): Walk {
  const ids = new Set(answered.flatMap(({ rows }) => [...(rows?.keys() ?? [])]))
  return {
    operationId: first.delivery.endpoint.id,
    list: first.list,
    run,
    isFull,
    isComplete,
    requests: reads.map(({ id }) => id),
    failed: reads.filter(({ rows }) => !rows).map(({ id }) => id),
    rows: ids.size,
    ...(first.cursor !== undefined && { updatedSince: first.cursor }),
  }
}
