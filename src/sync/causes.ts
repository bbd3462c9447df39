import type { Judged } from './judge.ts'
import type { Cause, Reason } from './verdict.ts'

/** The reasons whose rows belong together if the same requests have lost them. */
const byRequests: ReadonlySet<Reason> = new Set([
  'page_drift',
  'tie_at_cursor',
  'cursor_past_change',
  'late_visible',
  'unread_tail',
  'fault_not_retried',
])

/** The most requests of a cause. */
const MAX_REQUESTS = 20

/** Groups rows by the cause for which they are not correct. Order: the most rows first. */
export function groupByCause(entries: readonly Judged[]): Cause[] {
  const groups = new Map<string, Judged[]>()
  for (const entry of entries) {
    const { kind, collection, reason, requests } = entry
    const key = [kind, collection, reason, ...(byRequests.has(reason) ? requests : [])].join(' ')
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(entry)
  }
  return [...groups.values()].flatMap(describeCause).toSorted((a, b) => b.count - a.count)
}

function describeCause(group: readonly Judged[]): Cause[] {
  const [first] = group
  if (!first) return []
  const { reason, kind, collection, text } = first
  const requests = [...new Set(group.flatMap((entry) => entry.requests))].toSorted((a, b) => a - b)
  return [
    {
      reason,
      kind,
      collection,
      count: group.length,
      ids: group.map(({ id }) => id),
      requests: requests.slice(0, MAX_REQUESTS),
      text: group.length === 1 ? text : `${group.length} ${collection} ${states[kind]}. ${text}`,
    },
  ]
}

const states = {
  missed: 'are missing',
  stale: 'are stale',
  doubled: 'are there more than once',
  ghosts: 'are still there',
} as const
