import { getOrCreate, groupBy } from '../../core/maps.ts'
import type { Steps } from '../../core/slices.ts'
import type { Session } from '../../sessions/session.ts'
import type { TableName } from '../../store/tables.ts'
import type { Warning, WarningSearch } from '../../testing/journal/warnings.ts'
import { findOperations } from './collections.ts'
import { isVersion, readUpdatedDate } from './compare.ts'
import { type Context, createContext, findKnown } from './context.ts'
import { listGoneBefore, nameRows } from './losses.ts'
import { findHastyRetries, findRepeatedPages, findSingleReads } from './patterns.ts'
import { getEnd, getOffset, type Read } from './reads.ts'
import { type Version, Versions } from './versions.ts'
import { type PageWalk, withoutLooks } from './walks.ts'

/** The warnings that were found last, since a journal is often read again before anything has happened. */
const latest = new WeakMap<Session, { readonly key: string; readonly warnings: readonly Warning[] }>()

/**
 * Finds the warnings that follow from several requests: wasteful patterns, lists that are read only in part, rows that walks
 * have lost, and changes that cursors have passed. It costs nothing until somebody reads them, and then time that is linear in
 * the requests and the changes between them.
 */
export function searchWarnings(session: Session): WarningSearch {
  const key = `${session.requests.events.last} ${session.revision} ${session.clock.now()}`
  const before = latest.get(session)
  const cached = before?.key === key ? before.warnings : undefined
  const entries = session.requests.entries()
  const known = findKnown(session)
  const [first] = known.reads
  // Rows are lost, and changes passed, only if something changes while the client reads.
  const isStill = known.reads.every(({ state }) => state === first?.state)
  let isOpen = isStill || cached !== undefined
  return {
    prepare: async () => {
      if (!isOpen) await known.past.open()
      isOpen = true
    },
    steps: (function* search() {
      if (cached) return cached
      const warnings = findHastyRetries(entries)
      yield
      warnings.push(...findRepeatedPages(entries, session.clock.rate))
      yield
      warnings.push(...findSingleReads(entries))
      yield
      if (!isOpen) known.past.openAtOnce()
      const firstId = entries[0]?.id ?? Infinity
      for (const callerId of new Set(known.reads.map(({ delivery }) => delivery.caller.id))) {
        const caller = session.data.get('members', callerId)
        if (!caller) continue
        const context = yield* createContext(known, caller, session.settings)
        warnings.push(
          ...findUnreadPages(withoutLooks(context.walks).filter((walk) => walk.first.id >= firstId)),
        )
        if (!isStill) warnings.push(...(yield* findLosses(context)))
      }
      latest.set(session, { key, warnings })
      return warnings
    })(),
  }
}

/** Finds lists that were read only in part, although they report more records. */
function findUnreadPages(walks: readonly PageWalk[]): Warning[] {
  const unread = new Map<string, PageWalk>()
  for (const walk of walks) {
    const { list } = walk.first
    if (walk.isComplete) unread.delete(list)
    else if (walk.end > (unread.get(list)?.end ?? 0)) unread.set(list, walk)
  }
  return Array.from(unread.values()).flatMap(({ first, answered, end }): Warning[] => {
    const total = answered.at(-1)?.total
    if (total === undefined) return []
    const message = `${first.delivery.endpoint.id} has ${total} matches (totalCount), but only the first ${end} were fetched; fetch the rest with offset=${end}`
    return [{ code: 'unread_pages', message, requestIds: [first.id] }]
  })
}

function* findLosses(context: Context): Steps<Warning[]> {
  yield* context.parse()
  const { walks } = context
  const versions = new Map<TableName, Versions>()
  const findVersions = (table: TableName): Versions =>
    getOrCreate(versions, table, () => new Versions(context, findOperations(table).list))
  const withCursor = walks.filter(({ first }) => first.cursor !== undefined && first.isAnswered)
  const passed = new Map<PageWalk, readonly number[]>()
  for (const family of groupBy(withCursor, ({ first }) => first.family).values()) {
    const table = family[0]?.table ?? 'customers'
    yield* findPassed(context, family, findVersions(table), passed)
  }
  const warnings: Warning[] = []
  const shown = new Set<string>()
  for (const walk of walks) {
    const { table } = walk
    const ids = (passed.get(walk) ?? []).filter((id) => !shown.has(`${table} ${id}`))
    for (const id of ids) shown.add(`${table} ${id}`)
    yield* findLost(context, walk, findVersions(table), warnings)
    if (ids.length > 0) warnings.push(describePassed(walk, ids, findVersions(table)))
  }
  return warnings
}

/** Finds the rows that moved to a page which was already read. */
function* findLost(
  context: Context,
  { table, answered, first, last }: PageWalk,
  versions: Versions,
  warnings: Warning[],
): Steps<void> {
  const { past, lists, findShowing } = context
  const isKept = (id: number): boolean => {
    if (!versions.findRow(id, past.now.index).row) return true
    const showing = findShowing(table, id)
    if (showing.some((read) => read.id >= first.id)) return true
    // A walk through the whole list tells what is gone, any other one only what is new.
    return !first.isFull && isDelivered(id, showing, versions.find(id, last.state.index))
  }
  for (const [at, before] of answered.entries()) {
    const after = answered[at + 1]
    if (!after || before.state === after.state) continue
    const [old, present] = [lists.find(before), lists.find(after)]
    yield
    if (old === present) continue
    const { ids } = lists.listIds(after, after.state)
    const lost: number[] = []
    // A row between the pages was not lost, but not read.
    const end = Math.min(getOffset(after), getEnd(before), ids.length)
    for (let place = end - 1; place >= 0; place -= 1) {
      const id = ids[place] ?? 0
      const from = old.find(id)
      if (from !== undefined && from < getEnd(before)) break
      if (from !== undefined && !isKept(id)) lost.unshift(id)
    }
    const [firstLost] = lost
    if (firstLost === undefined) continue
    const gone = listGoneBefore(old, present, firstLost)
    const moved = gone.length > 0 ? `${nameRows(table, gone)} left the list` : 'the order of the list changed'
    const message = `between requests ${before.id} and ${after.id} of ${first.delivery.endpoint.id}, ${moved}, so that no page of the walk showed ${nameRows(table, lost)}; read the list again, or let pages overlap`
    warnings.push({ code: 'rows_lost_in_walk', message, requestIds: [before.id, after.id] })
  }
}

/**
 * Finds the changes that are before the cursor of a walk, and that no response has shown.
 * @param family the walks with a cursor through a list
 */
function* findPassed(
  { past, reads: all, lists, findShowing }: Context,
  family: readonly PageWalk[],
  versions: Versions,
  passed: Map<PageWalk, readonly number[]>,
): Steps<void> {
  const { table } = versions
  const reads = all.filter((read) => read.family === family[0]?.first.family && read.isAnswered)
  const times = reads.map(({ state }) => ({ index: state.index, ms: Date.parse(state.at) }))

  const examine = (id: number, first: Read): 'passed' | 'over' | 'open' => {
    if (lists.find(first).has(id)) return 'open'
    const { index } = first.state
    const version = versions.find(id, index)
    const updatedDate = readUpdatedDate(version.shown)
    const showing = findShowing(table, id)
    if (updatedDate === undefined || isDelivered(id, showing, version)) return 'over'
    if (!versions.findRow(id, past.now.index).row) return 'over'
    const begin = versions.findBegin(id, index)
    const before = begin > 0 ? versions.find(id, begin - 1).shown : undefined
    const isSilent = readUpdatedDate(before) === updatedDate
    // No client can find a change that is dated before a response that did not have it.
    const isBackdated = times.some((time) => time.index < begin && time.ms > Date.parse(updatedDate))
    if (isSilent || isBackdated) return 'over'
    const isShownLater = showing.some((read) => read.id > first.id)
    return isShownLater || !lists.find(first, index, true).has(id) ? 'open' : 'passed'
  }

  // The changed records that no response may have shown since.
  const candidates = new Set<number>()
  let last = reads[0]?.state.index ?? 0
  for (const walk of family) {
    const { first } = walk
    for (const id of past.listChanged(table, last, first.state.index)) candidates.add(id)
    last = first.state.index
    const ids: number[] = []
    for (const id of candidates) {
      const result = examine(id, first)
      if (result !== 'open') candidates.delete(id)
      if (result === 'passed') ids.push(id)
      yield
    }
    passed.set(
      walk,
      ids.toSorted((a, b) => a - b),
    )
  }
}

function describePassed({ table, first }: PageWalk, ids: readonly number[], versions: Versions): Warning {
  const { shown } = versions.find(ids[0] ?? 0, first.state.index)
  const message = `updatedSince ${first.cursor} of request ${first.id} is after the last change of ${nameRows(table, ids)} (${readUpdatedDate(shown)}), which no earlier response has shown; begin a little before the time at which the run before began`
  return { code: 'cursor_past_change', message, requestIds: [first.id] }
}

const isDelivered = (id: number, showing: readonly Read[], { shown }: Version): boolean =>
  shown !== undefined && showing.some(({ rows }) => isVersion(rows?.get(id) ?? {}, shown))
