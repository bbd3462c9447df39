import { SandboxError } from '../../core/errors.ts'
import { runAtOnce, type Steps } from '../../core/slices.ts'
import { pluralize } from '../../core/words.ts'
import { checkReferences, findValues, listPartTables, listReferences } from '../../store/references.ts'
import { selectReferring } from '../../store/referring.ts'
import type { Data, SessionData } from '../../store/session-data.ts'
import { type Row, type TableName, tableNames, tables, nameRecord } from '../../store/tables.ts'
import type { Stage, StagedRow } from './stage.ts'

export interface Part {
  readonly table: TableName
  readonly row: Row<TableName>
}

/** Finds the parts of a record, also those that the session has written and that are not there at this time. */
export function* findParts(table: TableName, row: Row<TableName>, data: SessionData): Steps<Part[]> {
  const parts: Part[] = []
  for (const { table: partTable, field } of listPartTables(table)) {
    const rows = data.select(partTable, [[field, row.id]], true).page()
    for (const part of rows) parts.push({ table: partTable, row: part })
    yield
  }
  return parts
}

function hasOwners({ table, row }: Part, data: Data): boolean {
  return listReferences(table).every((reference) => {
    const [link] = reference.isPart ? findValues(row, reference.path) : []
    return typeof link?.value !== 'number' || data.get(reference.table, link.value) !== undefined
  })
}

function describeUsers(
  table: TableName,
  row: Row<TableName>,
  { data }: Stage,
  onlyByKey = false,
): string | undefined {
  const usersByTable = tableNames
    .map((name) => ({ noun: tables[name].noun, users: selectReferring(name, table, row, data, onlyByKey) }))
    .filter(({ users }) => users.total > 0)
  const [first] = usersByTable
  if (!first) return undefined
  const name = `${first.noun} ${first.users.page(0, 1)[0]?.id}`
  const others = usersByTable.reduce((sum, { users }) => sum + users.total, 0) - 1
  if (others === 0) return `${name} refers to`
  return `${name} and ${pluralize(others, 'other record')} refer to`
}

export function* deleteInSteps(table: TableName, row: Row<TableName>, stage: Stage): Steps<void> {
  stage.put(table, row.id, null)
  yield
  const parts = yield* findParts(table, row, stage.data)
  for (const part of parts) yield* deleteInSteps(part.table, part.row, stage)
  const users = describeUsers(table, row, stage)
  if (users !== undefined) {
    const detail = `Cannot delete ${nameRecord(table, row.id)}: ${users} it. Change or delete those records first.`
    throw new SandboxError('conflict', detail)
  }
}

export const deleteRow = (table: TableName, row: Row<TableName>, stage: Stage): void =>
  runAtOnce(deleteInSteps(table, row, stage))

export function checkKeyChange({ table, id, before, after }: StagedRow, stage: Stage): void {
  if (!before || !after || toUniqueKey(table, before) === toUniqueKey(table, after)) return
  const users = describeUsers(table, before, stage, true)
  if (users === undefined) return
  const detail = `Cannot change the key of ${nameRecord(table, id)}: ${users} it by its key. Change those records first.`
  throw new SandboxError('conflict', detail)
}

function toUniqueKey(table: TableName, row: Row<TableName>): string {
  return (tables[table].unique ?? []).map((field) => String(Reflect.get(row, field))).join('/')
}

/**
 * Undoes the change of a record and of its parts: a created record is removed with its parts, and a deleted record is
 * restored with the parts that were deleted with it.
 * Errors: conflict if the record contradicts other records.
 */
export function* undo(table: TableName, id: number, stage: Stage): Steps<void> {
  yield* undoWithParts(table, id, stage, new Set())
  for (const staged of stage.staged()) {
    checkStaged(staged, { table, id }, stage)
    yield
  }
}

function* undoWithParts(table: TableName, id: number, stage: Stage, undone: Set<string>): Steps<void> {
  const key = `${table}/${id}`
  if (undone.has(key)) return
  undone.add(key)
  const changed = stage.data.getChange(table, id) ?? stage.get(table, id)
  const original = stage.unchanged.get(table, id)
  const parts = changed ? yield* findParts(table, changed, stage.data) : []
  const originalParts = original ? yield* findParts(table, original, stage.unchanged) : []
  if (stage.data.isChanged(table, id)) stage.undo(table, id)
  const lost = originalParts.filter(
    (part) => !stage.get(part.table, part.row.id) && hasOwners(part, stage.data),
  )
  yield
  for (const part of [...parts, ...lost]) {
    if (isUndoneWith(part, changed, original)) yield* undoWithParts(part.table, part.row.id, stage, undone)
  }
}

/**
 * Reports whether a part is undone with its record. If the record existed before and after the change, only the children
 * of an automation are, and the logs of triggers and actions that the change has added or removed.
 */
function isUndoneWith({ table, row }: Part, changed?: Row<TableName>, original?: Row<TableName>): boolean {
  if (!changed || !original || table === 'automations') return true
  const has = (owner: Row<TableName>): boolean => {
    if (!('triggers' in owner)) return true
    if ('triggerId' in row) return owner.triggers.some(({ id }) => id === row.triggerId)
    return !('actionId' in row) || owner.actions.some(({ id }) => id === row.actionId)
  }
  return !has(changed) || !has(original)
}

function checkStaged(staged: StagedRow, subject: Pick<StagedRow, 'table' | 'id'>, stage: Stage): void {
  const { table, id, before, after } = staged
  const { noun } = tables[table]
  const reject = (fact: string): never => {
    const start = `Cannot undo the change of ${nameRecord(subject.table, subject.id)}: ${fact}`
    throw new SandboxError('conflict', `${start}. Undo or change that first, or undo all changes.`)
  }
  if (after) {
    const [error] = checkReferences(table, after, stage)
    const isSubject = table === subject.table && id === subject.id
    const place = isSubject ? '' : `of ${noun} ${id}, `
    if (error) reject(`${place}${error.path} ${error.message}`)
    checkKeyChange(staged, stage)
  } else if (before) {
    const users = describeUsers(table, before, stage)
    if (users !== undefined) reject(`${users} ${noun} ${id}`)
  }
}
