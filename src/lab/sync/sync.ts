import { SandboxError } from '../../core/errors.ts'
import { toJsonInSteps } from '../../core/exact-json.ts'
import { readInSlices, runInSlices } from '../../core/slices.ts'
import { parseInSteps } from '../../core/validate-in-steps.ts'
import type { SandboxState } from '../../sessions/sandbox-state.ts'
import type { Session } from '../../sessions/session.ts'
import { tableNames } from '../../store/tables.ts'
import { isOfCustomer } from './collections.ts'
import { type Context, createContext, findKnown, findSyncCaller } from './context.ts'
import { mapCopies, readCopies } from './copies.ts'
import { VerdictBuilder } from './create-verdict.ts'
import { judgeCollection } from './judge.ts'
import { createHiding } from './truth.ts'
import { type Copies, VerdictInput, type VerdictOptions, type Verdict } from './verdict.ts'

/** Judges a copy whose rows are mapped first. Errors: invalid_request. */
export const judgeCopy = async (
  sandbox: SandboxState,
  session: Session,
  copies: Copies | undefined,
  { row, ...options }: VerdictOptions = {},
): Promise<Verdict> =>
  judgeSync(sandbox, session, await runInSlices(toJsonInSteps({ copy: mapCopies(copies, row), ...options })))

/**
 * Judges how clients have synced. The requests of a session become reads (`reads`) and walks (`walks`), and its writes the
 * past (`past`), in whose states lists and records are looked at as the member saw them (`views`). Each record is compared
 * with its versions since the client last began to read it (`judge`, `chances`). If it is wrong, what its walks have shown
 * says why (`reasons`, `losses`), and how they went on which run corrects it (`recovery`). Errors: invalid_request.
 * @param place of the token or id of the member in the request
 */
export async function judgeSync(
  sandbox: SandboxState,
  session: Session,
  input: unknown,
  place: 'body' | 'query' = 'body',
): Promise<Verdict> {
  const options = await runInSlices(parseInSteps(VerdictInput, input))
  const { copy: copies, as, ignore = [], allow = [] } = options
  const caller = findSyncCaller(session, as, place)
  await session.clock.prepare()
  for (const table of tableNames.filter((name) => copies?.[name])) {
    const { dataset } = session.data
    await readInSlices(() => [
      dataset.tables[table].rows,
      isOfCustomer(table) && dataset.tables.customers.rows,
    ])
  }
  // From here on, the session may change: what is judged is a copy.
  const known = findKnown(session)
  const findHidden = createHiding(sandbox, session, caller)
  await known.past.open()
  const context = await runInSlices(createContext(known, caller))
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
