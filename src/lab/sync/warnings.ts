import { getOrCreate } from '../../core/maps.ts'
import type { Session } from '../../sessions/session.ts'
import type { TableName } from '../../store/tables.ts'
import { createWarning, type Warning } from '../../testing/journal/warnings.ts'
import { findOperations, isVisible } from './collections.ts'
import { type Context, createContexts, nameRows } from './context.ts'
import { findGone } from './losses.ts'
import type { Read } from './reads.ts'
import { isVersion, readUpdatedDate, type Version, Versions } from './versions.ts'
import { getEnd, getOffset, type Pages } from './walks.ts'

const latest = new WeakMap<Session, { readonly key: string; readonly warnings: readonly Warning[] }>()

/**
 * Finds the rows that walks have lost, and the changes that cursors have passed, unless a later response has shown them.
 * Order: by the requests.
 */
export function findSyncWarnings(session: Session): readonly Warning[] {
  const { requests, data, clock } = session
  const key = `${requests.deliveries.added} ${data.revision} ${clock.now()}`
  const before = latest.get(session)
  if (before?.key === key) return before.warnings
  const deliveries = requests.deliveries.list()
  const [first] = deliveries
  // Rows are lost, and changes passed, only if something changes while the client reads.
  const isStill = deliveries.every(
    ({ seen }) => seen.revision === first?.seen.revision && seen.at === first.seen.at,
  )
  if (isStill) return []
  const callers = new Set(deliveries.map(({ callerId }) => callerId))
  const createContext = createContexts(session)
  const warnings = [...callers].flatMap((id) => {
    const caller = data.get('members', id)
    return caller ? findWarnings(createContext(caller)) : []
  })
  latest.set(session, { key, warnings })
  return warnings
}

function findWarnings(context: Context): Warning[] {
  const { history, caller, lists, reads, walks, findShowing } = context
  const versionsByTable = new Map<TableName, Versions>()
  const findVersions = (table: TableName): Versions =>
    getOrCreate(versionsByTable, table, () => new Versions(context, findOperations(table).list))
  const isThere = (table: TableName, id: number): boolean =>
    isVisible(history.now.data.get(table, id), caller)

  const isKept = ({ table, first, last, isFull }: Pages, id: number): boolean => {
    if (!isThere(table, id)) return true
    const showing = findShowing(table, id)
    if (showing.some((read) => read.id >= first.id)) return true
    // A walk through the whole list tells what is gone, any other one only what is new.
    const version = findVersions(table).find(id, last.state)
    return !isFull && version !== undefined && isDelivered(id, showing, version)
  }

  const findLost = (walk: Pages): Warning[] =>
    walk.answered.flatMap((before, at) => {
      const after = walk.answered[at + 1]
      if (!after || before.state === after.state) return []
      const [old, present] = [lists.find(before), lists.find(after)]
      const lost = [...old].flatMap(([id, from]) => {
        const to = present.get(id)
        const isPassed = from >= getEnd(before) && to !== undefined && to < getOffset(after)
        return isPassed && !isKept(walk, id) ? [id] : []
      })
      const [first] = lost
      if (first === undefined) return []
      const gone = findGone(old, present, first)
      const moved =
        gone.length > 0 ? `${nameRows(walk.table, gone)} left the list` : 'the order of the list changed'
      const { id: operation } = walk.first.delivery.endpoint
      const message = `between requests ${before.id} and ${after.id} of ${operation}, ${moved}, so that no page of the walk showed ${nameRows(walk.table, lost)}; read the list again, or let pages overlap`
      return [createWarning('rows_lost_in_walk', () => message, [before.id, after.id])]
    })

  const passedKeys = new Set<string>()

  const findPassed = ({ table, first }: Pages): Warning[] => {
    const { cursor } = first
    if (cursor === undefined || !first.rows) return []
    const family = reads.filter((read) => read.family === first.family && read.rows)
    const changedIds = new Set<number>()
    for (let at = (family[0] ?? first).state.index + 1; at <= first.state.index; at += 1) {
      for (const id of history.findChanged(at, table)) changedIds.add(id)
    }
    const passed = [...changedIds].toSorted((a, b) => a - b).filter((id) => isPassed(first, id, family))
    const [firstId] = passed
    if (firstId === undefined) return []
    for (const id of passed) passedKeys.add(`${table}/${id}`)
    const changed = readUpdatedDate(findVersions(table).find(firstId, first.state)?.shown)
    const message = `updatedSince ${cursor} of request ${first.id} is after the last change of ${nameRows(table, passed)} (${changed}), which no earlier response has shown; begin a little before the time at which the run before began`
    return [createWarning('cursor_past_change', () => message, [first.id])]
  }

  const isPassed = (first: Read, id: number, family: readonly Read[]): boolean => {
    const { table, state } = first
    if (passedKeys.has(`${table}/${id}`) || lists.find(first).has(id)) return false
    if (!lists.find(first, state, { withoutCursor: true }).has(id) || !isThere(table, id)) return false
    const versions = findVersions(table)
    const version = versions.find(id, state)
    const updatedDate = readUpdatedDate(version?.shown)
    if (!version || updatedDate === undefined) return false
    const begin = versions.findBegin(id, state)
    const before = begin.index > 0 ? versions.find(id, { index: begin.index - 1 }) : undefined
    const isSilent = readUpdatedDate(before?.shown) === updatedDate
    // No client can find a change that is dated before a response that did not have it.
    const isBackdated = family.some(
      (read) => read.state.index < begin.index && Date.parse(read.state.at) > Date.parse(updatedDate),
    )
    const showing = findShowing(table, id)
    const isShown = isDelivered(id, showing, version) || showing.some((read) => read.id > first.id)
    return !isSilent && !isBackdated && !isShown
  }

  return walks.flatMap((walk) => [...findLost(walk), ...findPassed(walk)])
}

const isDelivered = (id: number, showing: readonly Read[], version: Version): boolean =>
  showing.some(({ rows }) => isVersion(rows?.get(id) ?? {}, version))
