import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import type { JsonObject } from '../../core/json.ts'
import { readInSlices, runInSlices } from '../../core/slices.ts'
import { getContract } from '../../service/contract.ts'
import type { SandboxState } from '../../sessions/sandbox-state.ts'
import type { Session } from '../../sessions/session.ts'
import type { Data, DataSnapshot } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { definitions } from '../../testing/scenarios/definitions.ts'
import { findOperations, isVisible, selectVisible } from './collections.ts'
import { findSyncCaller } from './context.ts'
import { type Truth, TruthInput } from './verdict.ts'

const noReport = (): undefined => undefined

/** Lists rows as a member sees them. Errors: invalid_request; conflict if the data of that instant is no longer known. */
export async function readTruth(sandbox: SandboxState, session: Session, input: unknown): Promise<Truth> {
  const query = parseInput(TruthInput, input)
  const { collection: table, scenarios, offset, limit } = query
  const at = new Date(query.at ?? session.clock.now()).toISOString()
  const member = findSyncCaller(session, query.as, 'query')
  const copy = sandbox.copySession(session, {
    data: rebuildData(session, at),
    scenarios: scenarios ? session.scenarios.snapshot() : undefined,
  })
  copy.clock.state = copy.clock.stateAt(at)
  await copy.clock.prepare()
  const { data } = copy
  await readInSlices(() => data.dataset.tables[table].rows)
  const caller = data.get('members', member.id) ?? member
  const { list } = findOperations(table)
  const request = { endpoint: list, caller, settings: copy.settings }
  const seen = copy.scenarios.view(request, noReport) ?? data
  // A scenario may change the first records of all, so those are presented with a page.
  const first = copy.scenarios.isEmpty ? offset : 0
  const operation = getContract(session.settings).bind(list)
  return runInSlices(
    (function* select() {
      const visible: Row<TableName>[] = []
      for (const rows of selectVisible(seen, table, caller)) {
        visible.push(...rows)
        yield
      }
      const items: JsonObject[] = []
      const shown = visible.slice(first, offset + limit)
      for (const row of shown) {
        // A copy, which shares nothing with the row.
        items.push(JSON.parse(JSON.stringify(operation.present(row, seen))))
        yield
      }
      const answered = { ...request, hasResponse: true, ids: shown.map(({ id }) => id) }
      const rewritten = copy.scenarios.rewrite({ records: items }, answered, noReport)?.records ?? items
      const page = rewritten.slice(offset - first).map((item) => ({ ...item }))
      return { now: at, items: page, totalCount: visible.length }
    })(),
  )
}

/** Reports which records scenarios hide from a member; a list that lags hides them only for some time. */
export function createHiding(
  sandbox: SandboxState,
  session: Session,
  caller: Row<'members'>,
): (table: TableName) => (id: number) => boolean {
  const snapshot = session.scenarios.snapshot()
  const states = snapshot?.states.filter(({ name }) => definitions[name].lagSeconds === undefined) ?? []
  if (!snapshot || states.length === 0) return () => () => false
  const copy = sandbox.copySession(session, { scenarios: { ...snapshot, states } })
  const isSeen = (data: Data, table: TableName, id: number): boolean => isVisible(data.get(table, id), caller)
  return (table) => {
    const request = { endpoint: findOperations(table).list, caller, settings: copy.settings }
    const view = copy.scenarios.view(request, noReport)
    return (id) => view !== undefined && isSeen(copy.data, table, id) && !isSeen(view, table, id)
  }
}

function rebuildData({ data, clock }: Session, at: string): DataSnapshot {
  // Once the clock has gone back, what was written later is there all the same.
  if (at >= clock.now()) return data.snapshot()
  const commits = data.history.listAfter(at)
  if (commits) return data.undo(commits)
  const fact = `the changes of the session after ${at} are not all known any more`
  throw new SandboxError('conflict', `Cannot tell the truth at that instant: ${fact}. Choose a later one.`)
}
