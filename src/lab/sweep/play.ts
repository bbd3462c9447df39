import { countEqual } from '../../core/maps.ts'
import { getFirstLine, LateError, type RunOutcome } from '../../sandbox/run-client.ts'
import type { SessionHandle } from '../../sandbox/session-handle.ts'
import { isOfCustomer } from '../sync/collections.ts'
import type { Copies, VerdictOptions, Reason, Verdict } from '../sync/verdict.ts'
import { Player } from './player.ts'
import { runKinds, type RunKind, type Schedule, type TracedRequest } from './schedule.ts'

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
  readonly verdict: VerdictOptions
}

export interface Failure {
  /** `crash`: a run failed without need; `hang`: it did not end; `copy`: the verdict; `doubled`: a note was stored twice. */
  readonly kind: 'crash' | 'hang' | 'copy' | 'doubled'
  readonly text: string
  readonly error?: unknown
  readonly verdict?: Verdict | undefined
}

export interface Play {
  readonly mostRequests: number
  readonly notes: ReadonlyMap<string, number>
  readonly failure: Failure | undefined
  readonly acted: Schedule
  readonly trace: readonly TracedRequest[]
}

/** Longer than every lag of lists. Shape: an ISO 8601 duration. */
const HEALING = 'P2D'

const MAX_REQUESTS = 100_000

const unseen: readonly Reason[] = ['silent_change', 'child_only_change']

/**
 * Plays a schedule in a session of its own: the runs of a client with the events on its requests, then, all healed and
 * every lag over, one quiet run and the verdict, and, if the client can read everything again, that and the verdict.
 */
export async function play(options: PlayOptions, schedule: Schedule, usual?: Play): Promise<Play> {
  const session = options.open()
  const player = new Player(session, schedule, usual ? 10 * usual.mostRequests + 200 : MAX_REQUESTS)
  const client = await options.start(session, player)
  try {
    const hasFull = client.hasFullRun && (schedule.length === 0 || schedule.some(({ run }) => run === 'full'))
    const runs = runKinds.filter((kind) => kind !== 'full' || hasFull)
    const failure = await playRuns(options, { session, player, client }, runs)
    const notes = await countNotes(session, player.trace)
    const { acted, trace, mostRequests } = player
    return {
      failure: failure ?? (usual && findDoubled(notes, usual.notes)),
      acted,
      trace,
      mostRequests,
      notes,
    }
  } finally {
    await client.close()
    session.close()
  }
}

interface Stage {
  readonly session: SessionHandle
  readonly player: Player
  readonly client: TestedClient
}

async function playRuns(
  { between, verdict }: PlayOptions,
  stage: Stage,
  runs: readonly RunKind[],
): Promise<Failure | undefined> {
  const { session, player, client } = stage
  for (const kind of runs) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    const failure = await runOnce(stage, kind, `the ${kind} run`)
    if (failure) return failure
    session.clock.advance(between)
  }
  player.end()
  session.scenarios.clear()
  session.clock.advance(HEALING)
  const quiet = await runOnce(stage, undefined, 'the quiet run at the end')
  if (quiet) return quiet
  const wrong = await judge(stage, verdict, 'one quiet run', client.hasFullRun)
  if (wrong || !client.hasFullRun) return wrong
  session.clock.advance(between)
  return (
    (await runOnce(stage, undefined, 'the quiet full run at the end', 'full')) ??
    (await judge(stage, verdict, 'a quiet full run', false))
  )
}

async function runOnce(
  { player, client }: Stage,
  run: RunKind | undefined,
  name: string,
  kind: 'incremental' | 'full' = run === 'full' ? 'full' : 'incremental',
): Promise<Failure | undefined> {
  player.begin(run)
  let outcome = await client.run(kind)
  // An event kills once, so this ends.
  while (outcome === 'killed' && !player.isEndless) {
    // oxlint-disable-next-line no-await-in-loop -- one start after the other
    outcome = await client.run(kind)
  }
  const mayFail = player.end()
  if (outcome === 'killed')
    return { kind: 'hang', text: `In ${name}, it made ${player.count} requests, and more.` }
  const { passed, error } = outcome
  if (error instanceof LateError) return { kind: 'hang', text: `In ${name}: ${error.message}`, error }
  if (passed || mayFail) return undefined
  return { kind: 'crash', text: `In ${name}, it failed: ${getFirstLine(error)}`, error }
}

async function judge(
  { session, client }: Stage,
  options: VerdictOptions,
  after: string,
  awaitsFull: boolean,
): Promise<Failure | undefined> {
  let copy: Copies | undefined
  try {
    copy = await client.copy()
  } catch (error) {
    return { kind: 'crash', text: `After ${after}, its copy cannot be read: ${getFirstLine(error)}`, error }
  }
  if (copy === undefined) return undefined
  const allow = [...(options.allow ?? []), ...(awaitsFull ? unseen : [])]
  const verdict = await session.sync.verdict(copy, { ...options, allow })
  if (verdict.correct || (awaitsFull && lacksNothing(verdict, allow))) return undefined
  return { kind: 'copy', text: `After ${after}, its copy is wrong.\n${verdict.text}`, verdict }
}

/**
 * Reports whether a copy has every row as it is, except for what only a full run can see: rows that are gone, and records
 * of a customer that a list still hid when they were read. If the customer announces them, it is judged itself.
 */
const lacksNothing = ({ missed, stale, doubled }: Verdict, allow: readonly Reason[]): boolean =>
  [...missed, ...stale, ...doubled].every(
    ({ reason, collection }) =>
      allow.includes(reason) || (reason === 'late_visible' && isOfCustomer(collection)),
  )

async function countNotes(
  { data }: Pick<SessionHandle, 'data'>,
  trace: readonly TracedRequest[],
): Promise<Play['notes']> {
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
