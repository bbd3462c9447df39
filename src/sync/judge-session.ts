import { getContract } from '../resources/contract.ts'
import type { Session } from '../sessions/session.ts'
import type { TableName } from '../store/tables.ts'
import { findSyncCaller } from './caller.ts'
import { groupByCause } from './causes.ts'
import { findOperations, listRows, present } from './collections.ts'
import type { Context } from './context.ts'
import { findIdField, findMapper, readCollections, readCopy } from './copies.ts'
import { createContexts } from './create-contexts.ts'
import { formatVerdict } from './format-verdict.ts'
import { type Judged, judgeCollection } from './judge.ts'
import type { Copies, RowMapper, VerdictOptions } from './sync-control.ts'
import { findHidden, type SyncHost } from './truth.ts'
import type { Entry, Kind, Reason, Verdict, Walk } from './verdict.ts'
import { describeWalk, findRuns } from './walks.ts'

/** The most walks of a verdict. */
const MAX_WALKS = 1_000

/** Judges a copy, or what was delivered. Errors: invalid_request. */
export async function judgeSession(
  host: SyncHost,
  session: Session,
  copies: Copies | undefined,
  { as, ignore = [], allow = [], row }: VerdictOptions,
): Promise<Verdict> {
  const caller = findSyncCaller(session, as)
  const names = copies ? readCollections(copies) : undefined
  await session.time.prepare()
  const { dataset } = session.data
  for (const table of names ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    await dataset.tables[table].prepare()
  }
  const context = createContexts(session)(caller)
  const ignored = new Set(ignore)
  const judged: Judged[] = []
  let pending = 0
  for (const table of names ?? findReadCollections(context)) {
    const mapper = findMapper(row, table)
    const hidden = findHidden(host, session, table, caller)
    const rows = copies?.[table]
    const copy = rows && readCopy(table, rows, mapper ? findMappedId(context, table, mapper) : 'id')
    const result = judgeCollection(context, {
      table,
      copy,
      mapper,
      ignored,
      isHidden: (id) => hidden.has(id),
    })
    judged.push(...result.entries)
    pending += result.pending
  }
  return createVerdict(context, judged, pending, copies ? 'copy' : 'delivered', new Set(allow))
}

/** Lists the collections whose lists a client has read. */
function findReadCollections({ walks }: Context): TableName[] {
  return [...new Set(walks.filter(({ answered }) => answered.length > 0).map(({ table }) => table))]
}

/** Finds the field of mapped rows that has the id. Errors: invalid_request if there is none. */
function findMappedId(context: Context, table: TableName, mapper: RowMapper): string {
  const { history, caller, settings } = context
  const { data } = history.now
  const { list } = findOperations(table)
  const mapped = listRows(table, data, caller, settings).map(
    (row) => [row.id, mapper(present(list, getContract(settings), row, data))] as const,
  )
  return findIdField(table, mapped)
}

function createVerdict(
  context: Context,
  judged: readonly Judged[],
  pending: number,
  judgedBy: Verdict['judgedBy'],
  allowed: ReadonlySet<Reason>,
): Verdict {
  const select = (kind: Kind): Entry[] =>
    judged.flatMap(({ kind: own, ...entry }) => (own === kind ? [entry] : []))
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
