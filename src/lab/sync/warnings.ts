import { getOrCreate, groupBy } from '../../core/maps.ts'
import { finish } from '../../core/slices.ts'
import type { Session } from '../../sessions/session.ts'
import type { TableName } from '../../store/tables.ts'
import { createWarning, type Warning } from '../../testing/journal/warnings.ts'
import { findOperations } from './collections.ts'
import { isVersion, readUpdatedDate } from './compare.ts'
import { type Context, createContext, findKnown } from './context.ts'
import { listGoneBefore, nameRows } from './losses.ts'
import { getEnd, getOffset, type Read } from './reads.ts'
import { type Version, Versions } from './versions.ts'
import type { PageWalk } from './walks.ts'

const latest = new WeakMap<Session, { readonly key: string; readonly warnings: readonly Warning[] }>()

/**
 * Finds the rows that walks have lost, and the changes that cursors have passed, unless a later response has shown them.
 * Order: by member, then by walk.
 */
export function findSyncWarnings(session: Session): readonly Warning[] {
  const { requests, data, clock, settings } = session
  const key = `${requests.deliveries.added} ${data.revision} ${clock.now()}`
  const before = latest.get(session)
  if (before?.key === key) return before.warnings
  const known = findKnown(session)
  const [first] = known.deliveries
  // Rows are lost, and changes passed, only if something changes while the client reads.
  const isStill = known.deliveries.every(
    ({ seen }) => seen.revision === first?.seen.revision && seen.at === first.seen.at,
  )
  if (isStill) return []
  known.past.openAtOnce()
  const callers = new Set(known.deliveries.map(({ callerId }) => callerId))
  const warnings = [...callers].flatMap((id) => {
    const caller = data.get('members', id)
    return caller ? findWarnings(finish(createContext(known, caller, settings))) : []
  })
  latest.set(session, { key, warnings })
  return warnings
}

function findWarnings(context: Context): Warning[] {
  const { allWalks: walks } = context
  const versions = new Map<TableName, Versions>()
  const findVersions = (table: TableName): Versions =>
    getOrCreate(versions, table, () => new Versions(context, findOperations(table).list))
  const withCursor = walks.filter(({ first }) => first.cursor !== undefined && first.rows)
  const passed = new Map<PageWalk, readonly number[]>()
  for (const family of groupBy(withCursor, ({ first }) => first.family).values()) {
    const table = family[0]?.table ?? 'customers'
    for (const [walk, ids] of findPassed(context, family, findVersions(table))) passed.set(walk, ids)
  }
  const shown = new Set<string>()
  return walks.flatMap((walk) => {
    const { table } = walk
    const ids = (passed.get(walk) ?? []).filter((id) => !shown.has(`${table} ${id}`))
    for (const id of ids) shown.add(`${table} ${id}`)
    const lost = findLost(context, walk, findVersions(table))
    return [...lost, ...(ids.length > 0 ? [describePassed(walk, ids, findVersions(table))] : [])]
  })
}

/** Finds the rows that moved to a page which was already read. */
function findLost(
  context: Context,
  { table, answered, first, last, isFull }: PageWalk,
  versions: Versions,
): Warning[] {
  const { past, lists, findShowing } = context
  const isKept = (id: number): boolean => {
    if (!versions.findRow(id, past.now.index).row) return true
    const showing = findShowing(table, id)
    if (showing.some((read) => read.id >= first.id)) return true
    // A walk through the whole list tells what is gone, any other one only what is new.
    return !isFull && isDelivered(id, showing, versions.find(id, last.state.index))
  }
  return answered.flatMap((before, at) => {
    const after = answered[at + 1]
    if (!after || before.state === after.state) return []
    const [old, present] = [lists.find(before), lists.find(after)]
    if (old === present) return []
    const { ids } = lists.listIds(after, after.state)
    const lost: number[] = []
    // What is between the pages was not lost, but not read.
    const end = Math.min(getOffset(after), getEnd(before), ids.length)
    for (let place = end - 1; place >= 0; place -= 1) {
      const id = ids[place] ?? 0
      const from = old.find(id)
      if (from !== undefined && from < getEnd(before)) break
      if (from !== undefined && !isKept(id)) lost.unshift(id)
    }
    const [firstLost] = lost
    if (firstLost === undefined) return []
    const gone = listGoneBefore(old, present, firstLost)
    const moved = gone.length > 0 ? `${nameRows(table, gone)} left the list` : 'the order of the list changed'
    const message = `between requests ${before.id} and ${after.id} of ${first.delivery.endpoint.id}, ${moved}, so that no page of the walk showed ${nameRows(table, lost)}; read the list again, or let pages overlap`
    return [createWarning('rows_lost_in_walk', () => message, [before.id, after.id])]
  })
}

/**
 * Finds the changes that are before the cursor of a walk, and that no response has shown.
 * @param family the walks with a cursor through a list
 */
function findPassed(
  { past, reads: all, lists, findShowing }: Context,
  family: readonly PageWalk[],
  versions: Versions,
): Map<PageWalk, readonly number[]> {
  const { table } = versions
  const reads = all.filter((read) => read.family === family[0]?.first.family && read.rows)
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

  const passed = new Map<PageWalk, readonly number[]>()
  // The changed records that no response may have shown since.
  const candidates = new Set<number>()
  let last = reads[0]?.state.index ?? 0
  for (const walk of family) {
    const { first } = walk
    for (const id of past.listChanged(table, last, first.state.index)) candidates.add(id)
    last = first.state.index
    const results = Array.from(candidates, (id) => [id, examine(id, first)] as const)
    for (const [id, result] of results) if (result !== 'open') candidates.delete(id)
    const ids = results.flatMap(([id, result]) => (result === 'passed' ? [id] : []))
    if (ids.length > 0)
      passed.set(
        walk,
        ids.toSorted((a, b) => a - b),
      )
  }
  return passed
}

function describePassed({ table, first }: PageWalk, ids: readonly number[], versions: Versions): Warning {
  const { shown } = versions.find(ids[0] ?? 0, first.state.index)
  const message = `updatedSince ${first.cursor} of request ${first.id} is after the last change of ${nameRows(table, ids)} (${readUpdatedDate(shown)}), which no earlier response has shown; begin a little before the time at which the run before began`
  return createWarning('cursor_past_change', () => message, [first.id])
}

const isDelivered = (id: number, showing: readonly Read[], { shown }: Version): boolean =>
  shown !== undefined && showing.some(({ rows }) => isVersion(rows?.get(id) ?? {}, shown))
