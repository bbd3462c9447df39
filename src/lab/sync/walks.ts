import type { Steps } from '../../core/slices.ts'
import type { TableName } from '../../store/tables.ts'
import { getEnd, getOffset, nameRequest, overlaps, type Read } from './reads.ts'
import type { Walk } from './verdict.ts'

/** The pages of a list that a client has read, from its beginning on. */
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
  /** How often the list has been begun, this time included. */
  readonly round: number
}

/** A walk to which requests may still belong. */
interface OpenWalk {
  readonly reads: Read[]
  /** The last answer to each page by its offset. */
  readonly pages: Map<number, Read>
  end: number
  isComplete: boolean
  /** Whether no page came before one in front of it. */
  isInOrder: boolean
}

const getLimit = (read: Read): number => getEnd(read) - getOffset(read)

/**
 * Divides requests into walks, whatever the sizes of the pages, pauses and repetitions: one begins with the first row, with
 * a new cursor, or with a page that one which is complete has shown.
 */
export function* findWalks(reads: readonly Read[]): Steps<PageWalk[]> {
  const walks: OpenWalk[] = []
  const latest = new Map<string, readonly OpenWalk[]>()
  for (const read of reads) {
    if (!read.range) continue
    const open = (latest.get(read.list.target) ?? []).filter((one) => !isLeft(one, read))
    const able = open.filter((one) => continues(one, read))
    const next = able.find((one) => goesOn(one, open[0] ?? one, read))
    const continued = next ?? able.find((one) => one === open[0])
    const walk = continued ?? { reads: [], pages: new Map(), end: 0, isComplete: false, isInOrder: true }
    if (!continued) walks.push(walk)
    extend(walk, read)
    // Four may go on side by side.
    latest.set(read.list.target, [walk, ...open.filter((one) => one !== walk)].slice(0, 4))
    yield
  }
  const rounds = new Map<string, number>()
  return walks.flatMap((walk) => {
    // A client whose token is refused has not begun yet.
    const begin = walk.reads.findIndex(({ delivery }) => delivery.status !== 401)
    const first = walk.reads[begin]
    if (!first) return []
    const round = (rounds.get(first.list.withoutCursor) ?? 0) + 1
    rounds.set(first.list.withoutCursor, round)
    return createWalk(first, walk.reads.slice(begin), walk, round)
  })
}

/** Reports whether a read follows the last page of a walk, which is the most recent, or goes on beside that. */
function goesOn({ reads, end }: OpenWalk, recent: OpenWalk, read: Read): boolean {
  const [last, begin] = [reads.at(-1) ?? read, recent.reads[0] ?? read]
  return [end, getEnd(last)].includes(getOffset(read)) && (last.id >= begin.id || recent.reads.length === 1)
}

/** Reports whether a client that reads in any order has begun again: it repeats a page of a walk that is complete or has gaps. */
function isLeft({ reads, pages, end, isComplete, isInOrder }: OpenWalk, read: Read): boolean {
  const same = pages.get(getOffset(read))
  if (!same || isInOrder || getEnd(same) !== getEnd(read) || overlaps(same, read)) return false
  return isComplete || (end > 0 && same !== reads.at(-1) && [...pages.keys()].some((offset) => offset > end))
}

function continues({ reads, pages, end, isComplete, isInOrder }: OpenWalk, read: Read): boolean {
  const offset = getOffset(read)
  const last = getOffset(reads.at(-1) ?? read)
  if (offset > 0 && offset === last) return true
  // Some clients ask for a page again while its answer is still on the way.
  const same = pages.get(offset)
  if (same && same !== reads.at(-1) && getEnd(same) === getEnd(read) && overlaps(same, read)) return true
  // Pages may overlap, and go on after the end.
  if (isComplete) return isInOrder ? offset > last : offset >= end
  if (offset > 0) return !isLookBefore(reads, read)
  // Some clients ask for the pages of one size in any order, or all at once, and again for those that failed.
  const isInAnyOrder = !isInOrder || getOffset(reads[0] ?? read) > 0
  return isInAnyOrder && !pages.has(0) && reads.every((one) => getLimit(one) === getLimit(read))
}

/** Reports whether a client has looked at the first rows, as for the total, before it asks for larger pages in any order. */
function isLookBefore([look, ...others]: readonly Read[], page: Read): boolean {
  const limit = getLimit(page)
  const isLook = look !== undefined && others.length === 0 && getOffset(look) === 0 && getLimit(look) < limit
  return isLook && getOffset(page) > getEnd(look) && getOffset(page) % limit === 0
}

function extend(walk: OpenWalk, read: Read): void {
  walk.isInOrder &&= getOffset(walk.reads.at(-1) ?? read) <= getOffset(read)
  walk.reads.push(read)
  if (read.isAnswered) walk.pages.set(getOffset(read), read)
  if (!read.isAnswered || getOffset(read) > walk.end) return
  walk.end = Math.max(walk.end, getEnd(read))
  // Pages that came before the ones in front of them follow.
  for (let next = walk.pages.get(walk.end); next; next = walk.pages.get(walk.end)) walk.end = getEnd(next)
  walk.isComplete = read.total !== undefined && walk.end >= read.total
}

function createWalk(first: Read, reads: readonly Read[], { pages, end }: OpenWalk, round: number): PageWalk {
  const answered = [...pages.values()].toSorted((a, b) => getOffset(a) - getOffset(b))
  const { total } = answered.at(-1) ?? {}
  return {
    table: first.table,
    reads,
    answered,
    lost: reads.filter((read) => !read.isAnswered && !pages.has(getOffset(read))),
    end,
    isComplete: total !== undefined && end >= total,
    first,
    last: reads.at(-1) ?? first,
    round,
  }
}

/**
 * Leaves out those that only look at a list, as for its total or the service's time: pages that are not the whole list, do
 * not follow each other, have no cursor, are smaller than those with which the client walks, and of which it has taken over
 * nothing.
 */
export function withoutLooks(
  walks: readonly PageWalk[],
  isTaken: (page: Read) => boolean = () => false,
): PageWalk[] {
  const sizes = new Map<TableName, number>()
  for (const page of walks.flatMap(listWalked)) {
    sizes.set(page.table, Math.min(getLimit(page), sizes.get(page.table) ?? Infinity))
  }
  const isSmall = (page: Read): boolean => getLimit(page) < (sizes.get(page.table) ?? 0)
  const isLook = ({ lost, answered }: PageWalk, walked: readonly Read[]): boolean =>
    lost.length === 0 && walked.length === 0 && answered.every(isSmall)
  return walks.filter((walk) => !isLook(walk, listWalked(walk)) || walk.answered.some(isTaken))
}

/** Lists the pages that are no looks: of a complete walk, of one with a cursor, or next to each other. */
function listWalked({ first, answered, isComplete }: PageWalk): readonly Read[] {
  if (isComplete || first.list.target !== first.list.withoutCursor) return answered
  return answered.filter((page, at) => {
    const [before, after] = [answered[at - 1], answered[at + 1]]
    const isNext = before !== undefined && getOffset(page) <= getEnd(before)
    return isNext || (after !== undefined && getOffset(after) <= getEnd(page))
  })
}

export function* describeWalk({ reads, answered, first, isComplete, round }: PageWalk): Steps<Walk> {
  const ids = new Set<number>()
  for (const { rows } of answered) {
    for (const id of rows?.keys() ?? []) ids.add(id)
    yield
  }
  return {
    operationId: first.delivery.endpoint.id,
    list: first.list.target,
    run: round,
    isFull: first.isFull,
    isComplete,
    requests: reads.map(({ id }) => id),
    failed: reads.filter(({ isAnswered }) => !isAnswered).map(({ id }) => id),
    rows: ids.size,
    ...(first.cursor !== undefined && { updatedSince: first.cursor }),
  }
}

/** Finds the page that has shown the newest date last. @param before the id of a request before which it was read */
export const findNewest = (pages: readonly Read[], before = Infinity): Read | undefined =>
  pages.reduce<Read | undefined>((newest, page) => {
    const { id, newestDate } = page
    return id < before && newestDate !== '' && newestDate >= (newest?.newestDate ?? '') ? page : newest
  }, undefined)

export const nameRequests = ({ first, last }: PageWalk): string =>
  first === last
    ? `${nameRequest(first)},`
    : `requests ${first.id} to ${last.id} (from ${nameRequest(first)})`
