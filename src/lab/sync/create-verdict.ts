import { groupBy } from '../../core/maps.ts'
import type { Context } from './context.ts'
import type { Judged } from './judge.ts'
import type { Cause, Entry, Kind, Reason, Verdict, Walk } from './verdict.ts'
import { describeWalk, findRuns } from './walks.ts'

const MAX_WALKS = 1_000

export function createVerdict(
  context: Context,
  judged: readonly Judged[],
  pending: number,
  judgedBy: Verdict['judgedBy'],
  allowed: ReadonlySet<Reason>,
): Verdict {
  const select = (kind: Kind): Entry[] =>
    judged.flatMap(({ kind: one, ...entry }) => (one === kind ? [entry] : []))
  const verdict = {
    correct: judged.every(({ reason }) => allowed.has(reason)),
    judgedBy,
    missed: select('missed'),
    stale: select('stale'),
    doubled: select('doubled'),
    ghosts: select('ghosts'),
    pending,
    causes: groupByCause(judged),
    walks: describeWalks(context),
    ...(context.since !== undefined && { since: context.since }),
  }
  return { ...verdict, text: formatVerdict(verdict) }
}

function describeWalks({ walks }: Context): Walk[] {
  const runs = new Map(
    [...new Set(walks.map(({ table }) => table))].flatMap((table) =>
      findRuns(walks, table).flatMap((run, at) =>
        run.walks.filter((walk) => walk.table === table).map((walk) => [walk, at + 1] as const),
      ),
    ),
  )
  return walks.slice(-MAX_WALKS).map((walk) => describeWalk(walk, runs.get(walk) ?? 1))
}

/** The reasons whose rows belong together if the same requests have lost them. */
const byRequests: ReadonlySet<Reason> = new Set([
  'page_drift',
  'tie_at_cursor',
  'cursor_past_change',
  'late_visible',
  'unread_tail',
  'fault_not_retried',
])

const MAX_REQUESTS = 20

function groupByCause(entries: readonly Judged[]): Cause[] {
  const groups = groupBy(entries, ({ kind, collection, reason, requests }) =>
    [kind, collection, reason, ...(byRequests.has(reason) ? requests : [])].join(' '),
  )
  const causes = [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ reason, kind, collection, text }): Cause => {
      const requests = [...new Set(group.flatMap((entry) => entry.requests))].toSorted((a, b) => a - b)
      return {
        reason,
        kind,
        collection,
        count: group.length,
        ids: group.map(({ id }) => id),
        requests: requests.slice(0, MAX_REQUESTS),
        text: group.length === 1 ? text : `${group.length} ${collection} ${states[kind]}. ${text}`,
      }
    }),
  )
  return causes.toSorted((a, b) => b.count - a.count)
}

const states = {
  missed: 'are missing',
  stale: 'are stale',
  doubled: 'are there more than once',
  ghosts: 'are still there',
} as const

const MAX_CAUSES = 10

function formatVerdict({
  correct,
  judgedBy,
  causes,
  pending,
  walks,
  since,
  ...rows
}: Omit<Verdict, 'text'>): string {
  const counts = (['missed', 'stale', 'doubled', 'ghosts'] as const).flatMap((kind) =>
    rows[kind].length > 0 ? `${rows[kind].length} ${kind}` : [],
  )
  const subject = judgedBy === 'copy' ? 'The copy' : 'What was delivered'
  const numbers = counts.length > 0 ? ` (${counts.join(', ')})` : ''
  const requests = walks.reduce((sum, walk) => sum + walk.requests.length, 0)
  const shown = causes.slice(0, MAX_CAUSES)
  const rest = causes.length - shown.length
  return [
    `${subject} is ${correct ? '' : 'not '}correct${numbers}.`,
    ...shown.map(({ reason, text }) => `  ${reason}: ${text}`),
    ...(rest > 0 ? [`  and ${rest} more causes`] : []),
    ...(pending > 0 ? [`Rows that have changed since the last run began, and may differ: ${pending}.`] : []),
    ...(judgedBy === 'delivered'
      ? [`No copy was given: this is about what ${requests} requests have delivered.`]
      : []),
    ...(since === undefined ? [] : [`Requests before request ${since} are forgotten.`]),
  ].join('\n')
}
