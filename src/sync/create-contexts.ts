import type { Session } from '../sessions/session.ts'
import { lowerBound } from '../store/row-set.ts'
import type { Row } from '../store/tables.ts'
import type { Context } from './context.ts'
import { History } from './history.ts'
import { Lists } from './lists.ts'
import { createReads } from './reads.ts'
import { findWalks } from './walks.ts'

/** Returns a function that collects what the sync of a member is judged by, at the present state of a session. */
export function createContexts(session: Session): (caller: Row<'members'>) => Context {
  const { requests, data, settings } = session
  const { past, deliveries } = requests
  const all = deliveries.list()
  // The data before a change that is forgotten, or before a snapshot was restored, cannot be rebuilt.
  const isKnown = (at: number): boolean =>
    past.listBetween(all[at]?.seen.revision ?? data.revision, data.revision) !== undefined
  const known = all.slice(lowerBound(all.length, isKnown))
  const isWhole = known.length === all.length && deliveries.firstKnown === 1
  const next = (all.at(-1)?.id ?? deliveries.firstKnown - 1) + 1
  const history = new History(
    session,
    known.map(({ seen }) => seen),
  )
  return (caller) => {
    const own = known.filter(({ callerId }) => callerId === caller.id)
    const reads = createReads(own, history)
    return {
      caller,
      settings,
      history,
      reads,
      walks: findWalks(reads),
      lists: new Lists(caller),
      since: isWhole ? undefined : (known[0]?.id ?? next),
    }
  }
}
