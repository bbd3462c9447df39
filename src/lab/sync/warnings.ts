import { getOrCreate } from '../../core/maps.ts'
import type { Steps } from '../../core/slices.ts'
import type { Session } from '../../sessions/session.ts'
import type { TableName } from '../../store/tables.ts'
import type { Warning, WarningSearch } from '../../testing/journal/warnings.ts'
import { type Context, createContext, findKnown } from './context.ts'
import { type Finding, nameRows } from './losses.ts'
import { findHastyRetries, findRepeatedPages, findSingleReads } from './patterns.ts'
import { getEnd, getOffset } from './reads.ts'
import { Reasons } from './reasons.ts'
import type { Lists } from './views.ts'
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
        const context = yield* createContext(known, caller)
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

/** Finds the rows that walks have lost, and the changes that cursors have passed before any response has shown them. */
function* findLosses(context: Context): Steps<Warning[]> {
  yield* context.parse()
  const { past, reads, lists } = context
  const losses = new Map<string, Finding & { readonly table: TableName; readonly ids: number[] }>()
  for (const table of new Set(context.walks.map((walk) => walk.table))) {
    const reasons = new Reasons(context, table)
    const start = reads.find((read) => read.table === table)?.state.index ?? past.now.index
    const ids = new Set(past.listChanged(table, start, past.now.index))
    for (const walk of reasons.walks) {
      for (const id of listMoved(walk, lists)) ids.add(id)
      yield
    }
    for (const id of ids) {
      // A record that is gone is not read any more.
      if (!reasons.versions.findRow(id, past.now.index).row) continue
      yield* reasons.prepare(id)
      const finding = reasons.explainLost(id, start)
      const key = [table, finding?.reason === 'page_drift', finding?.requests.at(-1)].join(' ')
      if (finding) getOrCreate(losses, key, () => ({ ...finding, table, ids: [] })).ids.push(id)
      yield
    }
  }
  const warnings = Array.from(losses.values(), ({ reason, requests, text, table, ids }): Warning => {
    const ascending = ids.toSorted((a, b) => a - b)
    const fact = `${nameRows(table, ascending)}: ${text}`
    return reason === 'page_drift'
      ? {
          code: 'rows_lost_in_walk',
          message: `${fact}; read the list again, or let pages overlap`,
          requestIds: [...requests],
        }
      : {
          code: 'cursor_past_change',
          message: `${fact}; begin a little before the time at which the run before began`,
          requestIds: requests.slice(-1),
        }
  })
  return warnings.toSorted((a, b) => Math.max(...a.requestIds) - Math.max(...b.requestIds))
}

/** Lists the rows that moved to a page which was already read. */
function* listMoved({ answered }: PageWalk, lists: Lists): Generator<number> {
  for (const [at, before] of answered.entries()) {
    const after = answered[at + 1]
    if (!after || before.state === after.state) continue
    const [old, present] = [lists.find(before), lists.find(after)]
    if (old === present) continue
    const { ids } = lists.listIds(after, after.state)
    // A row between the pages was not lost, but not read.
    const end = Math.min(getOffset(after), getEnd(before), ids.length)
    for (let place = end - 1; place >= 0; place -= 1) {
      const id = ids[place] ?? 0
      const from = old.find(id)
      if (from !== undefined && from < getEnd(before)) break
      if (from !== undefined) yield id
    }
  }
}
