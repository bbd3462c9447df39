import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { readInSlices, runInSlices } from '../../core/slices.ts'
import { parseInSteps } from '../../core/validate-in-steps.ts'
import type { Session } from '../../sessions/session.ts'
import { type Row, tableNames } from '../../store/tables.ts'
import { isOfCustomer } from './collections.ts'
import { type Context, createContext, findKnown, findSyncCaller } from './context.ts'
import { mapCopies, readCopies } from './copies.ts'
import { VerdictBuilder } from './create-verdict.ts'
import { judgeCollection } from './judge.ts'
import { createHiding, readTruth, type SyncHost } from './truth.ts'
import {
  type Copies,
  TruthInput,
  VerdictInput,
  type VerdictOptions,
  type Truth,
  type Verdict,
} from './verdict.ts'

type Place = 'body' | 'query'

/**
 * Judges how clients have synced. The requests of a session become reads (`reads`) and walks (`walks`), and its writes the
 * past (`past`), in whose states lists and records are looked at as the member saw them (`views`). Each record is compared
 * with its versions since the client last began to read it (`judge`, `chances`). If it is wrong, what its walks have shown
 * says why (`reasons`, `losses`), and how they went on which run corrects it (`recovery`).
 */
export type Sync = ReturnType<typeof createSync>

export function createSync(host: SyncHost) {
  /** @param place of the token or id of the member in the request */
  const verdict = async (session: Session, input: unknown, place: Place = 'body'): Promise<Verdict> => {
    const { copy, as, ...options } = await runInSlices(parseInSteps(VerdictInput, input))
    return judgeSession(host, session, findSyncCaller(session, as, place), copy, options)
  }
  return {
    verdict,
    truth: async (session: Session, input: unknown): Promise<Truth> => {
      const { as, at = session.clock.now(), ...options } = parseInput(TruthInput, input)
      const now = new Date(at).toISOString()
      return readTruth(host, session, findSyncCaller(session, as, 'query'), { ...options, at: now })
    },
    /** Maps the rows of a copy before it is judged. */
    judge: (session: Session, copies: Copies | undefined, { row, ...options }: VerdictOptions = {}) =>
      verdict(session, { copy: mapCopies(copies, row), ...options }),
  }
}

async function judgeSession(
  host: SyncHost,
  session: Session,
  caller: Row<'members'>,
  copies: Copies | undefined,
  { ignore = [], allow = [] }: VerdictOptions,
): Promise<Verdict> {
  await session.time.prepare()
  for (const table of tableNames.filter((name) => copies?.[name])) {
    const { dataset } = session.data
    await readInSlices(() => [
      dataset.tables[table].rows,
      isOfCustomer(table) && dataset.tables.customers.rows,
    ])
  }
  // From here on, the session may change: what is judged is a copy.
  const known = findKnown(session)
  const findHidden = createHiding(host, session, caller)
  const { settings } = session
  await known.past.open()
  const context = await runInSlices(createContext(known, caller, settings))
  await runInSlices(context.parse())
  const copied = copies && (await runInSlices(readCopies(copies)))
  const isIdle = context.reads.length === 0 && context.since === undefined
  const listed = context.walks.flatMap(({ answered, table }) => (answered.length > 0 ? [table] : []))
  const tables = isIdle ? [] : [...(copied?.keys() ?? new Set(listed))]
  const builder = new VerdictBuilder(new Set(allow))
  const ignored = new Set(ignore)
  let count = 0
  for (const table of tables) {
    const criteria = { table, copies: copied, ignored, isHidden: findHidden(table) }
    count += await runInSlices(judgeCollection(context, criteria, builder))
  }
  const isEmpty = count === 0 && !context.walks.some(({ table }) => tables.includes(table))
  if (isEmpty) throw nothingToJudge(context, copies)
  return runInSlices(builder.build(context, copies ? 'copy' : 'delivered'))
}

function nothingToJudge({ reads, caller }: Context, copies: Copies | undefined): SandboxError {
  const fact =
    reads.length === 0
      ? `member ${caller.id} has sent no request to this session. Let the client sync through it first`
      : copies
        ? `the copy has no collection with rows, here or in the service, and none that a request has listed. Give the rows that the client keeps, by collection`
        : `no request of member ${caller.id} has listed records. Give a copy, or let the client list what it syncs`
  return new SandboxError('invalid_request', `There is nothing to judge: ${fact}.`)
}
