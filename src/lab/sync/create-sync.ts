import { parseInput } from '../../core/issues.ts'
import { readInSlices } from '../../core/slices.ts'
import { getContract } from '../../service/contract.ts'
import type { Session } from '../../sessions/session.ts'
import type { TableName } from '../../store/tables.ts'
import { findOperations, listRows, present } from './collections.ts'
import { type Context, createContexts, findSyncCaller } from './context.ts'
import { findIdField, findMapper, readCollections, readCopy, SentForms } from './copies.ts'
import { createVerdict } from './create-verdict.ts'
import { type Judged, judgeCollection } from './judge.ts'
import { findHidden, readTruth, type SyncHost } from './truth.ts'
import {
  type Copies,
  type RowMapper,
  TruthInput,
  VerdictInput,
  type VerdictOptions,
  type Truth,
  type Verdict,
} from './verdict.ts'

export interface Sync {
  truth(session: Session, input: unknown): Promise<Truth>
  verdict(session: Session, input: unknown, row?: VerdictOptions['row']): Promise<Verdict>
}

export function createSync(host: SyncHost): Sync {
  return {
    truth: async (session, input) => {
      const {
        collection: table,
        as,
        at = session.clock.now(),
        scenarios = true,
      } = parseInput(TruthInput, input)
      const now = new Date(at).toISOString()
      return readTruth(host, session, table, findSyncCaller(session, as), now, scenarios)
    },
    verdict: async (session, input, row) => {
      const { copy, mapped, ...options } = parseInput(VerdictInput, input)
      if (!mapped) return judgeSession(host, session, copy, { ...options, row })
      const forms = new SentForms(mapped)
      const verdict = await judgeSession(host, session, copy, { ...options, row: forms.row }, forms)
      const { unmapped } = forms
      return unmapped ? { ...verdict, correct: false, unmapped } : verdict
    },
  }
}

async function judgeSession(
  host: SyncHost,
  session: Session,
  copies: Copies | undefined,
  { as, ignore = [], allow = [], row }: VerdictOptions,
  forms?: SentForms,
): Promise<Verdict> {
  const caller = findSyncCaller(session, as)
  const names = copies ? readCollections(copies) : undefined
  await session.time.prepare()
  const { dataset } = session.data
  for (const table of names ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    await readInSlices(() => dataset.tables[table].rows)
  }
  const context = createContexts(session)(caller)
  const ignored = new Set(ignore)
  const judged: Judged[] = []
  let pending = 0
  const read = context.walks.flatMap(({ answered, table }) => (answered.length > 0 ? [table] : []))
  for (const table of names ?? new Set(read)) {
    const mapper = findMapper(row, table)
    const hidden = findHidden(host, session, table, caller)
    const rows = copies?.[table]
    const idField = mapper ? findMappedId(context, table, mapper) : 'id'
    // Without the forms of the present rows, the ids of the copy cannot be read.
    if (forms?.unmapped?.[table]) continue
    const copy = rows && readCopy(table, rows, idField)
    const result = judgeCollection(context, { table, copy, mapper, ignored, hidden })
    judged.push(...result.entries)
    pending += result.pending
  }
  return createVerdict(context, judged, pending, copies ? 'copy' : 'delivered', new Set(allow))
}

function findMappedId(context: Context, table: TableName, mapper: RowMapper): string {
  const { history, caller, settings } = context
  const { data } = history.now
  const { list } = findOperations(table)
  const mapped = listRows(table, data, caller).map(
    (row) => [row.id, mapper(present(list, getContract(settings), row, data))] as const,
  )
  return findIdField(table, mapped)
}
