import { getOrCreate } from '../core/maps.ts'
import { createWarning, type Warning } from '../journal/warnings.ts'
import type { Session } from '../sessions/session.ts'
import { findOperations, isVisible } from './collections.ts'
import { type Context, createContexts, nameRows } from './context.ts'
import { findGone } from './losses.ts'
import type { Read } from './reads.ts'
import { isVersion, readUpdatedDate, Versions } from './versions.ts'
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
    return caller ? new Finder(createContext(caller)).find() : []
  })
  latest.set(session, { key, warnings })
  return warnings
}

class Finder {
  readonly #context: Context
  readonly #versions = new Map<string, Versions>()
  readonly #passed = new Set<string>()

  constructor(context: Context) {
    this.#context = context
  }

  find(): Warning[] {
    return this.#context.walks.flatMap((walk) => [...this.#findLost(walk), ...this.#findPassed(walk)])
  }

  #findVersions({ table }: Pick<Read, 'table'>): Versions {
    return getOrCreate(this.#versions, table, () => new Versions(this.#context, findOperations(table).list))
  }

  #findLost(walk: Pages): Warning[] {
    const { lists } = this.#context
    return walk.answered.flatMap((before, at) => {
      const after = walk.answered[at + 1]
      if (!after || before.state === after.state) return []
      const [old, present] = [lists.find(before), lists.find(after)]
      const lost = [...old].flatMap(([id, from]) => {
        const to = present.get(id)
        const isPassed = from >= getEnd(before) && to !== undefined && to < getOffset(after)
        return isPassed && !this.#isKept(walk, id) ? [id] : []
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
  }

  #isKept(walk: Pages, id: number): boolean {
    const { history, caller, settings } = this.#context
    if (!isVisible(history.now.data.get(walk.table, id), caller, settings)) return true
    const showing = this.#context.findShowing(walk.table, id)
    if (showing.some((read) => read.id >= walk.first.id)) return true
    // A walk through the whole list tells what is gone, any other one only what is new.
    const version = this.#findVersions(walk).find(id, walk.last.state)
    return !walk.isFull && version !== undefined && isDelivered(id, showing, version)
  }

  #findPassed(walk: Pages): Warning[] {
    const { first } = walk
    const { cursor } = first
    if (cursor === undefined || !first.rows) return []
    const family = this.#context.reads.filter((read) => read.family === first.family && read.rows)
    const passed = this.#listChanged(walk, family[0]).filter((id) => this.#isPassed(first, id, family))
    if (passed.length === 0) return []
    for (const id of passed) this.#passed.add(toKey(walk, id))
    const [id = 0] = passed
    const changed = readUpdatedDate(this.#findVersions(walk).find(id, first.state)?.shown)
    const message = `updatedSince ${cursor} of request ${first.id} is after the last change of ${nameRows(walk.table, passed)} (${changed}), which no earlier response has shown; begin a little before the time at which the run before began`
    return [createWarning('cursor_past_change', () => message, [first.id])]
  }

  #listChanged({ table, first }: Pages, begin: Read | undefined): number[] {
    const ids = new Set<number>()
    for (let at = (begin ?? first).state.index + 1; at <= first.state.index; at += 1) {
      for (const id of this.#context.history.findChanged(at, table)) ids.add(id)
    }
    return [...ids].toSorted((a, b) => a - b)
  }

  #isPassed(first: Read, id: number, family: readonly Read[]): boolean {
    const { lists, history, caller, settings } = this.#context
    if (this.#passed.has(toKey(first, id)) || lists.find(first).has(id)) return false
    if (!lists.find(first, first.state, { withoutCursor: true }).has(id)) return false
    if (!isVisible(history.now.data.get(first.table, id), caller, settings)) return false
    const versions = this.#findVersions(first)
    const version = versions.find(id, first.state)
    const updatedDate = readUpdatedDate(version?.shown)
    if (!version || updatedDate === undefined) return false
    const begin = versions.findBegin(id, first.state)
    const before = begin.index > 0 ? versions.find(id, { index: begin.index - 1 }) : undefined
    const isSilent = readUpdatedDate(before?.shown) === updatedDate
    // No client can find a change that is dated before a response that did not have it.
    const isBackdated = family.some(
      ({ state }) => state.index < begin.index && Date.parse(state.at) > Date.parse(updatedDate),
    )
    const showing = this.#context.findShowing(first.table, id)
    const isShown = isDelivered(id, showing, version) || showing.some((read) => read.id > first.id)
    return !isSilent && !isBackdated && !isShown
  }
}

const toKey = ({ table }: Pick<Read, 'table'>, id: number): string => `${table}/${id}`

const isDelivered = (
  id: number,
  showing: readonly Read[],
  version: NonNullable<ReturnType<Versions['find']>>,
): boolean => showing.some(({ rows }) => isVersion(rows?.get(id) ?? {}, version))
