import { getOrCreate } from '../../core/maps.ts'
import type { Steps } from '../../core/slices.ts'
import type { Session } from '../../sessions/session.ts'
import type { Warning, WarningSearch } from '../../testing/journal/warnings.ts'
import { findOperations } from './collections.ts'
import { isVersion } from './compare.ts'
import { type Context, createContext, findKnown } from './context.ts'
import { listGoneBefore, nameRows } from './losses.ts'
import { findHastyRetries, findRepeatedPages, findSingleReads } from './patterns.ts'
import { getEnd, getOffset } from './reads.ts'
import { Reasons } from './reasons.ts'
import { Versions } from './views.ts'
import { type PageWalk, withoutLooks } from './walks.ts'

/** The warnings that were found last, since a journal is often read again before anything has happened. */
const latest = new WeakMap<Session, { readonly key: string; readonly warnings: readonly Warning[] }>()

/**
 * Finds the warnings that follow from several requests: wasteful patterns, lists that are read only in part, rows that walks
 * have lost, and changes that cursors have passed. It costs nothing until somebody reads them, and then time that is linear in
 * the requests and the changes between them.
 */
export function searchWarnings(session: Session): WarningSearch {
  const key = `${session.requests.lastEvent} ${session.revision} ${session.clock.now()}`
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
        const walks = withoutLooks(context.walks).filter((walk) => walk.first.id >= firstId)
        warnings.push(...findUnreadPages(walks))
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
    const { target } = walk.first.list
    if (walk.isComplete) unread.delete(target)
    else if (walk.end > (unread.get(target)?.end ?? 0)) unread.set(target, walk)
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
  const warnings: Warning[] = []
  for (const table of new Set(context.walks.map((walk) => walk.table))) {
    const versions = new Versions(context, findOperations(table).list)
    const reasons = new Reasons(context, versions)
    for (const walk of reasons.walks) yield* findLost(context, walk, versions, warnings)
    yield* findPassed(context, reasons, versions, warnings)
  }
  return warnings.toSorted((a, b) => Math.max(...a.requestIds) - Math.max(...b.requestIds))
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
    if (first.isFull) return false
    const { shown } = versions.find(id, last.state.index)
    return shown !== undefined && showing.some((read) => isVersion(read.getRow(id) ?? {}, shown))
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

/** Finds the changes that a cursor has passed before any response has shown them. */
function* findPassed(
  { past, reads }: Context,
  reasons: Reasons,
  versions: Versions,
  warnings: Warning[],
): Steps<void> {
  const { table } = versions
  const start = reads.find((read) => read.table === table)?.state.index ?? past.now.index
  const passed = new Map<number | undefined, { readonly text: string; readonly ids: number[] }>()
  for (const id of new Set(past.listChanged(table, start, past.now.index))) {
    // A record that is gone is not read any more.
    if (!versions.findRow(id, past.now.index).row) continue
    yield* reasons.prepare(id)
    const finding = reasons.explainPassed(id, start)
    if (finding) getOrCreate(passed, finding.requests.at(-1), () => ({ ...finding, ids: [] })).ids.push(id)
    yield
  }
  for (const [request = 0, { text, ids }] of passed) {
    const ascending = ids.toSorted((a, b) => a - b)
    const message = `${nameRows(table, ascending)}: ${text}; begin a little before the time at which the run before began`
    warnings.push({ code: 'cursor_past_change', message, requestIds: [request] })
  }
}
