import { getOrCreate } from '../../core/maps.ts'
import type { Steps } from '../../core/slices.ts'
import { capitalize, pluralize } from '../../core/words.ts'
import { nameRecord, type TableName } from '../../store/tables.ts'
import type { Context } from './context.ts'
import type { Finding } from './losses.ts'
import { type Cause, countKinds, type Entry, type Kind, type Reason, type Verdict } from './verdict.ts'
import { describeWalk } from './walks.ts'

/** The number of entries of a kind, of causes, and of walks that a verdict lists. */
const MAX_LISTED = 1_000

const MAX_REQUESTS = 20

/** The reasons whose rows belong together if the same requests have lost them. */
const byRequests: ReadonlySet<Reason> = new Set([
  'page_drift',
  'tie_at_cursor',
  'cursor_past_change',
  'late_visible',
  'unread_tail',
  'fault_not_retried',
])

/** A row that is not correct, and why. */
export interface WrongRow extends Omit<Entry, keyof Finding> {
  readonly kind: Kind
  readonly finding: Finding
}

interface CountedCause extends Omit<Cause, 'ids' | 'requests'> {
  count: number
  readonly ids: number[]
  readonly requests: Set<number>
}

/** Collects what is wrong: all of it is counted, and the first of each kind are listed. */
export class VerdictBuilder {
  readonly #allowed: ReadonlySet<Reason>
  readonly #listed: Record<Kind, Entry[]> = { missed: [], stale: [], doubled: [], ghosts: [] }
  readonly #counts: Record<Kind, number> = { missed: 0, stale: 0, doubled: 0, ghosts: 0 }
  readonly #causes = new Map<string, CountedCause>()
  #pending = 0
  readonly #changed: string[] = []

  constructor(allowed: ReadonlySet<Reason>) {
    this.#allowed = allowed
  }

  addPending(collection: TableName, id: number): void {
    this.#pending += 1
    if (this.#changed.length < MAX_CHANGED) this.#changed.push(nameRecord(collection, id))
  }

  add({ kind, collection, id, finding, fields, heals }: WrongRow): void {
    const { reason } = finding
    const requests = finding.requests.slice(0, MAX_REQUESTS)
    const differing = kind === 'stale' ? ` (${(fields ?? []).join(', ')})` : ''
    const text = `${capitalize(nameRecord(collection, id))} is ${states[kind]}${differing}: ${finding.text}.`
    this.#counts[kind] += 1
    const key = [kind, collection, reason, ...(byRequests.has(reason) ? requests : [])].join(' ')
    const cause = getOrCreate(this.#causes, key, (): CountedCause => {
      return { reason, kind, collection, count: 0, ids: [], requests: new Set(), text }
    })
    cause.count += 1
    for (const request of requests) cause.requests.add(request)
    if (this.#listed[kind].length === MAX_LISTED) return
    this.#listed[kind].push({ collection, id, reason, requests, ...(fields && { fields }), heals, text })
    cause.ids.push(id)
  }

  *build(context: Context, judgedBy: Verdict['judgedBy']): Steps<Verdict> {
    const walks: Verdict['walks'] = []
    for (const walk of context.walks.slice(-MAX_LISTED)) walks.push(yield* describeWalk(walk))
    const causes = Array.from(this.#causes.values(), (cause) => ({
      ...cause,
      requests: [...cause.requests].toSorted((a, b) => a - b).slice(0, MAX_REQUESTS),
      text:
        cause.count === 1
          ? cause.text
          : `${cause.count} ${cause.collection} are ${states[cause.kind]}. ${cause.text}`,
    })).toSorted((a, b) => b.count - a.count)
    const unexcused = causes.filter(({ reason }) => !this.#allowed.has(reason))
    const verdict = {
      correct: unexcused.length === 0,
      judgedBy,
      ...this.#listed,
      counts: this.#counts,
      pending: this.#pending,
      causes: causes.slice(0, MAX_LISTED),
      walks,
      ...(context.since !== undefined && { since: context.since }),
    }
    return { ...verdict, text: formatVerdict(verdict, unexcused, this.#changed) }
  }
}

const states = {
  missed: 'missing',
  stale: 'stale',
  doubled: 'there more than once',
  ghosts: 'still there',
} as const

const MAX_CAUSES = 10

/** The number of rows that a text names as pending. */
const MAX_CHANGED = 10

/**
 * Says in a few lines what is wrong.
 * @param causes those that are not excused
 * @param changed the names of the first rows that are pending
 */
function formatVerdict(
  { correct, judgedBy, pending, walks, since }: Omit<Verdict, 'text'>,
  causes: readonly Cause[],
  changed: readonly string[],
): string {
  const counts = countKinds(causes)
  const subject = judgedBy === 'copy' ? 'The copy' : 'What was delivered'
  const numbers = counts && ` (${counts})`
  const requests = walks.reduce((sum, walk) => sum + walk.requests.length, 0)
  const shown = causes.slice(0, MAX_CAUSES)
  const more = pending > changed.length ? `, ${pending - changed.length} more` : ''
  const rest = causes.length - shown.length
  return [
    `${subject} is ${correct ? '' : 'not '}correct${numbers}.`,
    ...shown.map(({ reason, text }) => `  ${reason}: ${text}`),
    ...(rest > 0 ? [`  and ${pluralize(rest, 'more cause')}`] : []),
    ...(pending > 0
      ? [
          `Rows that have changed since the client last began to read them, and may differ: ${changed.join(', ')}${more}.`,
        ]
      : []),
    ...(judgedBy === 'delivered'
      ? [`No copy was given: this is about what was delivered in ${pluralize(requests, 'request')}.`]
      : []),
    ...(since === undefined ? [] : [`Requests before request ${since} are forgotten.`]),
  ].join('\n')
}
