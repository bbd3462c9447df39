import { SandboxError } from '../../core/errors.ts'
import { readInSlices } from '../../core/slices.ts'
import { getContract } from '../../service/contract.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import type { Session, SessionSnapshot } from '../../sessions/session.ts'
import type { DataSnapshot } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { define } from '../../testing/scenarios/definitions.ts'
import { findOperations, listRows, present } from './collections.ts'
import type { Truth } from './verdict.ts'

export interface SyncHost {
  readonly copySession: (session: Session, changes?: Partial<SessionSnapshot>) => Session
}

export async function readTruth(
  host: SyncHost,
  session: Session,
  table: TableName,
  { id: callerId }: Row<'members'>,
  at: string,
  withScenarios: boolean,
): Promise<Truth> {
  const copy = host.copySession(session, {
    data: rebuildData(session, at),
    scenarios: withScenarios ? session.knownScenarios?.snapshot() : undefined,
  })
  copy.clock.set(at)
  await copy.time.prepare()
  const { data } = copy
  await readInSlices(() => data.dataset.tables[table].rows)
  const caller = data.get('members', callerId) ?? session.data.get('members', callerId)
  const { list } = findOperations(table)
  const { settings } = session
  if (!caller) return { now: at, items: [] }
  const request = createRequest(list, caller, copy)
  const seen = copy.knownScenarios?.view(request, () => undefined) ?? data
  const rows = listRows(table, seen, caller)
  const items = rows.map((row) => present(list, getContract(settings), row, seen))
  const ids = rows.map(({ id }) => id)
  const answered = { ...request, hasResponse: true, ids, page: undefined }
  const rewritten = copy.knownScenarios?.rewrite(items, answered, () => undefined) ?? items
  return { now: at, items: rewritten.map((item) => ({ ...item })) }
}

export function findHidden(
  host: SyncHost,
  session: Session,
  table: TableName,
  caller: Row<'members'>,
): ReadonlySet<number> {
  const snapshot = session.knownScenarios?.snapshot()
  const states = snapshot?.states.filter(({ name }) => define(name).lagSeconds === undefined) ?? []
  if (!snapshot || states.length === 0) return new Set()
  const copy = host.copySession(session, { scenarios: { ...snapshot, states } })
  const request = createRequest(findOperations(table).list, caller, copy)
  const view = copy.knownScenarios?.view(request, () => undefined)
  if (!view) return new Set()
  const visible = new Set(listRows(table, view, caller).map(({ id }) => id))
  const all = listRows(table, session.data, caller).map(({ id }) => id)
  return new Set(all.filter((id) => !visible.has(id)))
}

const createRequest = ({ id, resource }: Endpoint, caller: Row<'members'>, { settings }: Session) => ({
  operationId: id,
  table: resource.table,
  isList: true,
  caller,
  customerId: undefined,
  offset: 0,
  renewals: 0,
  settings,
})

function rebuildData({ data }: Session, at: string): DataSnapshot {
  const commits = data.history.listAfter(at)
  if (!commits) {
    const fact = `the changes of the session after ${at} are not all known any more`
    throw new SandboxError('conflict', `Cannot tell the truth at that instant: ${fact}. Choose a later one.`)
  }
  return data.undo(commits)
}
