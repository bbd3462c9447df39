import * as z from 'zod'

import { countEqual } from '../../core/maps.ts'
import { asSentence, capitalize, pluralize } from '../../core/words.ts'
import { isOfCustomer } from '../../lab/sync/collections.ts'
import { type Cause, type Copies, Reason, type Verdict, type VerdictOptions } from '../../lab/sync/verdict.ts'
import { describeWarning } from '../../testing/journal/requests.ts'
import { type JournalEntry, nameEntry } from '../../testing/journal/view.ts'
import { getFirstLine, LateError, type RunOutcome } from '../run-client.ts'
import type { SessionHandle } from '../session-handle.ts'
import { Player } from './player.ts'
import { formatCauses } from './report.ts'
import { runKinds, type RunKind, type Schedule } from './schedule.ts'

/** The reasons that a sweep may accept. */
export const SweepReason = z.enum([...Reason.options, 'hasty_retry'])
export type SweepReason = z.infer<typeof SweepReason>

export interface TestedClient {
  readonly hasFullRun: boolean
  run(kind: 'incremental' | 'full'): Promise<RunOutcome | 'killed'>
  copy(): Promise<Copies | undefined>
  close(): Promise<void>
}

export interface PlayOptions {
  readonly open: () => SessionHandle
  readonly start: (session: SessionHandle, player: Player) => Promise<TestedClient>
  readonly between: string
  readonly timeoutMs: number
  /** The most quiet runs by which the copy must be right. */
  readonly runs: number
  readonly verdict: Omit<VerdictOptions, 'allow'> & { readonly allow?: readonly SweepReason[] | undefined }
  /** Reads a session once its schedule was played, before it is dropped. */
  readonly onPlayed?:
    | ((session: SessionHandle, schedule: Schedule, failure: Failure | undefined) => void)
    | undefined
}

export interface Failure {
  /** `crash`: a run failed without need; `hang`: it did not end; `hasty`: it did not wait as `Retry-After` says; `copy`: the verdict; `doubled`: a note was stored twice. */
  readonly kind: 'crash' | 'hang' | 'hasty' | 'copy' | 'doubled'
  readonly text: string
  readonly error?: unknown
  readonly verdict?: Verdict | undefined
}

export interface Play extends Pick<Player, 'acted' | 'trace' | 'order' | 'mostRequests'> {
  readonly notes: ReadonlyMap<string, number>
  readonly failure: Failure | undefined
  /** The number of quiet runs after which the copy was right. */
  readonly quietRuns: number
}

/** Longer than every lag of lists. Shape: an ISO 8601 duration. */
const HEALING = 'P2D'

/** The most quiet runs, unless told otherwise. */
export const RUNS = 2

const MAX_REQUESTS = 100_000

/** Plays a schedule in a session of its own: the runs of a client with the events on its requests, until it has converged. */
export async function play(options: PlayOptions, schedule: Schedule, usual?: Play): Promise<Play> {
  const session = options.open()
  const player = new Player(session, schedule, usual ? 10 * usual.mostRequests + 200 : MAX_REQUESTS)
  const client = await options.start(session, player)
  try {
    const hasFull = client.hasFullRun && (schedule.length === 0 || schedule.some(({ run }) => run === 'full'))
    const runs = runKinds.filter((kind) => kind !== 'full' || hasFull)
    const result = await playRuns({ ...options, session, player, client }, runs)
    const notes = await countNotes(session, player.trace)
    const [quietRuns, failure] =
      typeof result === 'number' ? [result, usual && findDoubled(notes, usual.notes)] : [0, result]
    options.onPlayed?.(session, schedule, failure)
    const { acted, trace, order, mostRequests } = player
    return { failure, acted, trace, order, mostRequests, notes, quietRuns }
  } finally {
    await client.close()
    session.close()
  }
}

interface Stage extends PlayOptions {
  readonly session: SessionHandle
  readonly player: Player
  readonly client: TestedClient
}

/** Returns the number of quiet runs after which the copy was right. */
async function playRuns(stage: Stage, runs: readonly RunKind[]): Promise<number | Failure> {
  const { session, player, client, between } = stage
  for (const kind of runs) {
    const failure = await runOnce(stage, kind, `the ${kind} run`)
    if (failure) return failure
    session.clock.advance(between)
  }
  player.end()
  session.scenarios.clear()
  session.clock.advance(HEALING)
  const incremental = await converge(stage, 'incremental')
  if (typeof incremental !== 'number' || !client.hasFullRun) return incremental
  const full = await converge(stage, 'full')
  return typeof full === 'number' ? Math.max(full, incremental) : full
}

/** Lets the client run undisturbed until its copy is right, all being healed and every lag over. Returns the number of runs. */
async function converge(stage: Stage, kind: 'incremental' | 'full'): Promise<number | Failure> {
  const { session, client, between, runs } = stage
  const name = kind === 'full' ? 'quiet full run' : 'quiet run'
  for (let quietRuns = 1; ; quietRuns += 1) {
    const failure = await runOnce(stage, undefined, `the ${name} at the end`, kind)
    if (failure) return failure
    const wrong = await judge(stage, kind === 'incremental' && client.hasFullRun)
    session.clock.advance(between)
    if (!wrong) return quietRuns
    if (wrong.verdict && quietRuns < runs) continue
    const text = `after ${pluralize(quietRuns, name)}, ${wrong.text}`
    return { ...wrong, text: wrong.verdict ? `It never converges: ${text}` : capitalize(text) }
  }
}

async function runOnce(
  stage: Stage,
  run: RunKind | undefined,
  name: string,
  kind: 'incremental' | 'full' = run === 'full' ? 'full' : 'incremental',
): Promise<Failure | undefined> {
  const { session, player, client, verdict } = stage
  player.begin(run)
  let outcome: RunOutcome | 'killed'
  do {
    // An event kills once, so this ends.
    outcome = await client.run(kind)
  } while (outcome === 'killed' && !player.isEndless)
  const mayFail = player.end()
  if (outcome === 'killed') {
    const text = `In ${name}, it made ${player.count} requests, and more.${nameLast(stage, ' ')}`
    return { kind: 'hang', text }
  }
  const warnings = mayFail && !verdict.allow?.includes('hasty_retry') ? session.requests.warnings() : []
  const hasty = warnings.find(({ code }) => code === 'hasty_retry')
  if (hasty) return { kind: 'hasty', text: `In ${name}, ${describeWarning(hasty)}.` }
  if (player.renewedLate) {
    const fact = `Only ${name} has used the renewed token: ${nameAnswer(player.renewedLate)}`
    return { kind: 'crash', text: `${fact} Send what was refused again in the same run, with that token.` }
  }
  const { passed, error } = outcome
  if (error instanceof LateError) return { kind: 'hang', text: `In ${name}: ${error.message}`, error }
  if (passed || mayFail) return undefined
  const text = `In ${name}, it failed: ${getFirstLine(error)}${nameLast(stage, '\n')}`
  return { kind: 'crash', text, error }
}

/** Names the last two requests of a run, since they are often why a client fails or does not end. */
function nameLast({ session, player }: Stage, separator: string): string {
  const [last, before] = session.requests.list().toReversed()
  if (!last || player.count === 0) return ''
  const pair = before && player.count > 1 ? ` Before it came ${nameEntry(before)}.` : ''
  return `${separator}Its last request, ${nameAnswer(last)}${pair}`
}

function nameAnswer(entry: JournalEntry): string {
  const { status, problem } = entry
  const answer = problem === undefined ? status : `${status}: ${problem}`
  return asSentence(`${nameEntry(entry)}, was answered with ${answer}`)
}

/** @param awaitsFull excuses what only a full run can see */
async function judge(
  { session, client, verdict: { allow = [], ...options } }: Stage,
  awaitsFull: boolean,
): Promise<Failure | undefined> {
  let copy: Copies | undefined
  try {
    copy = await client.copy()
  } catch (error) {
    return { kind: 'crash', text: `its copy cannot be read: ${getFirstLine(error)}`, error }
  }
  if (copy === undefined) return undefined
  if (Object.values(copy).every((rows) => rows === undefined)) {
    const advice = 'Give the rows of each collection that the client keeps, [] if there are none.'
    return { kind: 'copy', text: `its copy is empty, without any collection. ${advice}` }
  }
  const reasons = allow.filter((reason) => reason !== 'hasty_retry')
  const verdict = await session.sync.verdict(copy, { ...options, allow: reasons })
  const wrong = verdict.causes.filter(
    (cause) => !allow.includes(cause.reason) && !(awaitsFull && needsFullRun(cause)),
  )
  if (verdict.correct || wrong.length === 0) return undefined
  return { kind: 'copy', text: `its copy is not correct ${formatCauses(wrong)}`, verdict }
}

const unseen: ReadonlySet<Reason> = new Set(['silent_change', 'child_only_change'])

/**
 * Reports whether only a full run can see it: rows that are gone, changes that nothing announces, and records of a customer
 * that a list still hid when they were read. If the customer announces them, it is judged itself.
 */
const needsFullRun = ({ kind, reason, collection }: Cause): boolean =>
  kind === 'ghosts' || unseen.has(reason) || (reason === 'late_visible' && isOfCustomer(collection))

async function countNotes({ data }: SessionHandle, trace: Play['trace']): Promise<Play['notes']> {
  if (!trace.some(({ operationId }) => operationId === 'createCustomerNote')) return new Map()
  const changes = await data.changes()
  const created = changes.filter(({ collection, kind }) => collection === 'notes' && kind === 'created')
  const notes = await Promise.all(created.map(({ id }) => data.notes.get(id)))
  const keys = notes.map(({ customerId, category: { id: categoryId }, content }) =>
    JSON.stringify({ customerId, categoryId, content }),
  )
  return new Map(countEqual(keys))
}

function findDoubled(notes: Play['notes'], usual: Play['notes']): Failure | undefined {
  const doubled = [...notes].find(([note, count]) => count > Math.max(usual.get(note) ?? 1, 1))
  if (!doubled) return undefined
  const [note, count] = doubled
  return { kind: 'doubled', text: `It has stored a note ${count} times: ${note}.` }
}
