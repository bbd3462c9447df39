import { getOrCreate, groupBy } from '../../core/maps.ts'
import type { Steps } from '../../core/slices.ts'
import { type Row, type TableName, tables } from '../../store/tables.ts'
import { isOfCustomer } from './collections.ts'
import { getEnd, getOffset, type Read } from './reads.ts'
import type { Walk } from './verdict.ts'

/** The requests of a client for the pages of a list. */
export interface PageWalk {
  readonly table: TableName
  readonly reads: readonly Read[]
  /** The last answer to each page. Order: by offset. */
  readonly answered: readonly Read[]
  /** The requests that were not answered with a page, and not repeated with success. Order: by id. */
  readonly lost: readonly Read[]
  /** The offset up to which its pages were answered without a gap. */
  readonly end: number
  readonly isComplete: boolean
  readonly first: Read
  readonly last: Read
}

/** The walks of a client from one look at a collection to the next. */
export interface Run {
  readonly first: Read
  readonly walks: readonly PageWalk[]
}

/** A walk to which requests may still belong. */
interface OpenWalk {
  readonly reads: Read[]
  /** The offset up to which its pages were answered without a gap. */
  end: number
}

const getLimit = (read: Read): number => getEnd(read) - getOffset(read)

export function* findWalks(reads: readonly Read[]): Steps<PageWalk[]> {
  const walks: OpenWalk[] = []
  const latest = new Map<string, OpenWalk>()
  for (const read of reads) {
    if (!read.range) continue
    const keys = [`${read.family} ${getLimit(read)}`, read.family]
    const [own, other] = keys.map((key) => latest.get(key))
    const continued = own && continues(own, read) ? own : other && resumes(other, read) ? other : undefined
    const walk = continued ?? { reads: [], end: 0 }
    if (!continued) walks.push(walk)
    walk.reads.push(read)
    if (read.isAnswered && getOffset(read) <= walk.end) walk.end = Math.max(walk.end, getEnd(read))
    for (const key of keys) latest.set(key, walk)
    yield
  }
  return walks.map((walk) => createWalk(walk.reads))
}

/** Reports whether a page belongs to the latest walk with pages of its size: not if it is a first page once more. */
function continues({ reads }: OpenWalk, read: Read): boolean {
  if (reads[0]?.list !== read.list) return false
  return getOffset(read) > 0 || !reads.some((one) => getOffset(one) === 0 && one.isAnswered)
}

/** Reports whether a walk goes on with pages of another size. */
const resumes = ({ reads, end }: OpenWalk, read: Read): boolean =>
  reads[0]?.list === read.list && end > 0 && getOffset(read) === end

function createWalk(reads: readonly Read[]): PageWalk {
  const [first] = reads
  const last = reads.at(-1)
  if (!first || !last) throw new RangeError('A walk has at least one request.')
  const byOffset = new Map(
    reads.filter(({ isAnswered }) => isAnswered).map((read) => [getOffset(read), read]),
  )
  const answered = [...byOffset.values()].toSorted((a, b) => getOffset(a) - getOffset(b))
  let end = 0
  for (const read of answered) if (getOffset(read) <= end) end = Math.max(end, getEnd(read))
  const { total } = answered.at(-1) ?? {}
  return {
    table: first.table,
    reads,
    answered,
    lost: reads.filter((read) => !read.isAnswered && !byOffset.has(getOffset(read))),
    end,
    isComplete: total !== undefined && end >= total,
    first,
    last,
  }
}

/**
 * Leaves out the walks that only look at a list which the client reads with pages of another size, as for its total or
 * the service's time: they are not complete, or have no cursor.
 */
export function withoutProbes(walks: readonly PageWalk[]): PageWalk[] {
  const sizes = new Map<string, Map<number, number>>()
  for (const { isComplete, first, reads } of walks) {
    if (!isComplete) continue
    const ofFamily = getOrCreate(sizes, first.family, () => new Map<number, number>())
    ofFamily.set(getLimit(first), (ofFamily.get(getLimit(first)) ?? 0) + reads.length)
  }
  const usual = new Map(
    Array.from(sizes, ([family, counts]) => {
      const [most] = Array.from(counts).toSorted((a, b) => b[1] - a[1])
      return [family, most?.[0]]
    }),
  )
  return walks.filter(({ first, isComplete }) => {
    const size = usual.get(first.family)
    return size === undefined || size === getLimit(first) || (isComplete && first.cursor !== undefined)
  })
}

/**
 * Divides the walks through the lists of a collection into runs: one ends where a list is read again that it has read
 * before. Collections of customers are read in the runs of the list of customers, if the client reads that.
 */
export function findRuns(walks: readonly PageWalk[], table: TableName): Run[] {
  const readsCustomers = isOfCustomer(table) && walks.some((walk) => walk.table === 'customers')
  const leading = readsCustomers ? 'customers' : table
  const runs: { readonly first: Read; readonly walks: PageWalk[] }[] = []
  let families = new Set<string>()
  for (const walk of walks) {
    if (walk.table !== table && walk.table !== leading) continue
    const run = runs.at(-1)
    if (run && !(walk.table === leading && families.has(walk.first.family))) run.walks.push(walk)
    else {
      runs.push({ first: walk.first, walks: [walk] })
      families = new Set()
    }
    families.add(walk.first.family)
  }
  return runs
}

/** Finds the walks whose list may have a record, by the parameters of their paths and the rows that the record has had. */
export function createWalkFinder(
  walks: readonly PageWalk[],
  table: TableName,
): (listRows: () => readonly Row<TableName>[]) => readonly PageWalk[] {
  const ofTable = walks.filter((walk) => walk.table === table)
  const fields = new Set(Object.keys(tables[table].row.shape))
  fields.delete('organizationId')
  const byNames = groupBy(ofTable, ({ first }) =>
    Object.keys(first.address?.path ?? {})
      .filter((name) => fields.has(name))
      .join(' '),
  )
  const indexes = Array.from(byNames, ([text, group]) => {
    const names = text.split(' ').filter((name) => name !== '')
    return { names, byKey: groupBy(group, ({ first }) => toKey(first.address?.path ?? {}, names)) }
  })
  if (indexes.every(({ names }) => names.length === 0)) return () => ofTable
  return (listRows) => {
    const rows = listRows()
    const matching = indexes.flatMap(({ names, byKey }) => {
      const keys = names.length === 0 ? [''] : new Set(rows.map((row) => toKey(row, names)))
      return [...keys].flatMap((key) => byKey.get(key) ?? [])
    })
    return matching.toSorted((a, b) => a.first.id - b.first.id)
  }
}

const toKey = (values: object, names: readonly string[]): string =>
  names.map((name) => `${name}=${Reflect.get(values, name)}`).join(' ')

export function describeWalk({ reads, answered, first, isComplete }: PageWalk, run: number): Walk {
  const ids = new Set(answered.flatMap(({ rows }) => [...(rows?.keys() ?? [])]))
  return {
    operationId: first.delivery.endpoint.id,
    list: first.list,
    run,
    isFull: first.isFull,
    isComplete,
    requests: reads.map(({ id }) => id),
    failed: reads.filter(({ isAnswered }) => !isAnswered).map(({ id }) => id),
    rows: ids.size,
    ...(first.cursor !== undefined && { updatedSince: first.cursor }),
  }
}
