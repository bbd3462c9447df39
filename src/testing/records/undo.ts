import { SandboxError } from '../../core/errors.ts'
import type { Steps } from '../../core/slices.ts'
import { checkReferences } from '../../store/references.ts'
import { type Row, type TableName, tables, nameRecord } from '../../store/tables.ts'
import { checkKeyChange, describeUsers, findParts, hasOwners, type Part } from './dependents.ts'
import type { Stage, StagedRow } from './stage.ts'

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
  const { table, id, before, row } = staged
  const { noun } = tables[table]
  const reject = (fact: string): never => {
    const start = `Cannot undo the change of ${nameRecord(subject.table, subject.id)}: ${fact}`
    throw new SandboxError('conflict', `${start}. Undo or change that first, or undo all changes.`)
  }
  if (row) {
    const [error] = checkReferences(table, row, stage)
    const isSubject = table === subject.table && id === subject.id
    const place = isSubject ? '' : `of ${noun} ${id}, `
    if (error) reject(`${place}${error.path} ${error.message}`)
    checkKeyChange(staged, stage)
  } else if (before) {
    const users = describeUsers(table, before, stage)
    if (users !== undefined) reject(`${users} ${noun} ${id}`)
  }
}
