import { SandboxError } from '../../contract/errors.ts'
import { danglingReferences, nouns } from '../../store/references.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { hasOwners, type Part, partsOf, refuseLostKey, usersOf } from './referrers.ts'
import type { Placed, Stage } from './stage.ts'

/**
 * Takes the change of a record back, and with it what went or came along: of a created record everything that is part
 * of it now, of a deleted one what was part of it and was deleted too.
 * Errors: conflict where it cannot be as it was among the others as they are.
 */
export function undo(table: TableName, id: number, stage: Stage): void {
  takeBack(table, id, stage, new Set())
  for (const placed of stage.placed()) refuseMisplaced(placed, { table, id }, stage)
}

function takeBack(table: TableName, id: number, stage: Stage, seen: Set<string>): void {
  const key = `${table}/${id}`
  if (seen.has(key)) return
  seen.add(key)
  const [is, was] = [stage.get(table, id), stage.unchanged.get(table, id)]
  const present = is ? partsOf(table, is, stage.data) : []
  const former = was ? partsOf(table, was, stage.unchanged) : []
  if (stage.data.isChanged(table, id)) stage.undo(table, id)
  const lost = former.filter((part) => !stage.get(part.table, part.row.id) && hasOwners(part, stage.data))
  for (const part of [...present, ...lost]) {
    if (goesAlong(part, is, was)) takeBack(part.table, part.row.id, stage, seen)
  }
}

/**
 * Says whether a part follows when a record goes back from what it is to what it was. Where it is there before and
 * after, only an automation has parts that do: its children, which are arranged with it, and the logs of triggers and
 * actions that it does not have both times.
 */
function goesAlong({ table, row }: Part, is?: Row<TableName>, was?: Row<TableName>): boolean {
  if (!is || !was || table === 'automations') return true
  const has = (owner: Row<TableName>): boolean => {
    if (!('triggers' in owner)) return true
    if ('triggerId' in row) return owner.triggers.some(({ id }) => id === row.triggerId)
    return !('actionId' in row) || owner.actions.some(({ id }) => id === row.actionId)
  }
  return !has(is) || !has(was)
}

function refuseMisplaced(placed: Placed, subject: Pick<Placed, 'table' | 'id'>, stage: Stage): void {
  const { table, id, before, row } = placed
  const refuse = (fact: string): never => {
    const what = `Cannot undo the change of ${nouns[subject.table]} ${subject.id}: ${fact}`
    throw new SandboxError('conflict', `${what}. Undo or change that first, or undo all changes.`)
  }
  if (row) {
    const [dangling] = danglingReferences(table, row, stage)
    const isSubject = table === subject.table && id === subject.id
    const place = isSubject ? '' : `of ${nouns[table]} ${id}, `
    if (dangling) refuse(`${place}${dangling.path} ${dangling.message}`)
    refuseLostKey(placed, stage)
  } else if (before) {
    const users = usersOf(table, before, stage)
    if (users !== undefined) refuse(`${users} ${nouns[table]} ${id}`)
  }
}
