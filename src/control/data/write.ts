import { SandboxError } from '../../contract/errors.ts'
import { fieldErrors } from '../../contract/issues.ts'
import type { Among, Fields, RecordForm } from '../../resources/records/form.ts'
import { forms } from '../../resources/records/index.ts'
import { danglingReferences, type Lookup, nouns } from '../../store/references.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { type Refusals, type Item } from './item.ts'
import { belonging } from './owner.ts'
import type { Stage } from './stage.ts'

/** What a record is drawn among. */
export interface DraftContext {
  readonly seed: number
  readonly now: string
  readonly data: Lookup
}

/** Draws what is not given of a row, so that it agrees with what is. */
export type Draft = <T extends TableName>(
  table: T,
  id: number,
  given: Fields<T>,
  context: DraftContext,
) => Row<T>

/** What records are written with. */
export interface Desk {
  readonly stage: Stage
  readonly draft: Draft
  readonly seed: number
  readonly now: string
  readonly refusals: Refusals
}

/** A record that was written, with what is needed to check it. */
export interface Written<T extends TableName = TableName> {
  readonly item: Item<T>
  readonly given: Fields<T>
  readonly among: Among<T>
}

/** Writes a record to the stage, unchecked. Shape: undefined where what was given cannot be a row; the refusals say why. */
export function write<T extends TableName>(item: Item<T>, desk: Desk): Written<T> | undefined {
  const { stage, refusals, now } = desk
  const form = forms[item.table]
  const before = item.id === undefined ? undefined : stage.get(item.table, item.id)
  let isRefused = false
  const refuse = (path: string, message: string): void => {
    isRefused = true
    refusals.add(item, asGiven(path, item.raw), message)
  }
  const { organizationId } = item
  const place = belonging(form, { given: item.given, before, organizationId, refuse }, stage)
  if (!place) return undefined
  const id = item.id ?? stage.nextId(item.table, place.organizationId)
  const { data } = stage
  const isChanged = before !== undefined && item.rest === 'kept'
  const among: Among<T> = { id, data, before, isChanged, now, refuse, organizationId: place.organizationId }
  const given = { ...form.fields(item.given, among), ...place.fields, id }
  if (isRefused) return undefined
  const row = before && isChanged ? changed(form, given, before, desk) : drawn(form, given, among, desk)
  const settled = form.settle?.(row, given, among) ?? row
  stage.place(item.table, id, withoutDrawn(form, item, settled))
  return { item, given, among }
}

/** The row as it was, with what is given, and what that leaves without sense drawn anew. */
function changed<T extends TableName>(
  form: RecordForm<T>,
  given: Fields<T>,
  before: Row<T>,
  desk: Desk,
): Row<T> {
  const unsettled = form.unsettled?.(before, given).filter((field) => given[field] === undefined) ?? []
  const row = touched({ ...before, ...given }, given, desk.now)
  if (unsettled.length === 0) return row
  const rest = { ...row }
  for (const field of unsettled) delete rest[field]
  const redrawn = desk.draft(form.table, before.id, rest, contextOf(desk))
  for (const field of unsettled) row[field] = redrawn[field]
  return row
}

/** The row as it is after a change now, unless the change itself gives `updatedDate`, or the clock is behind the row. */
function touched<T extends TableName>(row: Row<T>, given: Fields<T>, now: string): Row<T> {
  if (!('updatedDate' in row) || 'updatedDate' in given) return row
  const dates = [
    Reflect.get(row, 'createdDate'),
    Reflect.get(row, 'raisedDate'),
    Reflect.get(row, 'closedDate'),
  ]
  const isAhead = dates.some((date: unknown) => typeof date === 'string' && date > now)
  return isAhead ? row : { ...row, updatedDate: now }
}

/** The row as it is drawn around what is given; what others know a replaced record by stays. */
function drawn<T extends TableName>(
  form: RecordForm<T>,
  given: Fields<T>,
  { id, before, now }: Among<T>,
  desk: Desk,
): Row<T> {
  const identity: Fields<T> = {}
  if (before) for (const field of form.identity ?? []) identity[field] = before[field]
  const known = { ...form.stamps?.(given, now), ...identity, ...given }
  return withOwnKey(form, known, desk.draft(form.table, id, known, contextOf(desk)), desk.stage)
}

function contextOf({ seed, now, stage }: Desk): DraftContext {
  return { seed, now, data: stage }
}

/** The row with a key that no other record has, where its key was drawn. */
function withOwnKey<T extends TableName>(
  form: RecordForm<T>,
  known: Fields<T>,
  row: Row<T>,
  stage: Stage,
): Row<T> {
  if (!('key' in row) || 'key' in known) return row
  const { key, name } = row
  const isTaken = stage
    .list(form.table, row.organizationId)
    .some((other) => other.id !== row.id && 'key' in other && other.key === key)
  return isTaken
    ? { ...row, key: `${key}${row.id}`, name: 'name' in known ? name : `${name} ${row.id}` }
    : row
}

/** The row without a text of which null was given: it is drawn on reading then. */
function withoutDrawn<T extends TableName>(form: RecordForm<T>, item: Item<T>, row: Row<T>): Row<T> {
  const field = form.drawn?.field
  if (field === undefined || item.given[field] !== null) return row
  const rest = { ...row }
  delete rest[field]
  return rest
}

/** Checks a record where it stands among the others, and keeps what is left of it after that. Errors: as `Refusals`. */
export function check<T extends TableName>(
  { item, given, among }: Written<T>,
  { stage, refusals }: Desk,
): void {
  const { table } = item
  const form = forms[table]
  const staged = stage.get(table, among.id)
  if (!staged) return
  const refuse = (path: string, message: string): void => refusals.add(item, asGiven(path, item.raw), message)
  const parsed = form.row.safeParse(staged)
  if (!parsed.success) {
    for (const { name, message } of fieldErrors('body', parsed.error.issues)) refuse(name, message)
    return
  }
  const row = parsed.data
  const wrong = form.contradictions?.(row, given, among) ?? []
  const dangling = danglingReferences(table, row, stage)
  for (const { path, message } of wrong) refuse(path, message)
  for (const { path, message, remedy } of dangling) refuse(path, `${message}. ${remedy}`)
  if (wrong.length > 0 || dangling.length > 0) return
  const kept = pared(form, row, stage)
  const shown = form.shape.safeParse(form.present(kept, stage.data))
  if (!shown.success) {
    for (const { name, message } of fieldErrors('body', shown.error.issues)) refuse(name, message)
    return
  }
  stage.place(table, among.id, kept)
}

/** The row without a text that is the one that is drawn on reading. */
function pared<T extends TableName>(form: RecordForm<T>, row: Row<T>, stage: Stage): Row<T> {
  if (!form.drawn || row[form.drawn.field] === undefined) return row
  const { field, draw } = form.drawn
  const rest = { ...row }
  delete rest[field]
  return JSON.stringify(row[field]) === JSON.stringify(draw(rest, stage.data)) ? rest : row
}

/** Refuses to create a record that exists. Errors: conflict. */
export function refuseTaken({ table, id }: Item, stage: Stage): void {
  if (id === undefined || !stage.get(table, id)) return
  const what = `Cannot create ${nouns[table]} ${id}: there is one. Put it to replace it, or choose another id.`
  throw new SandboxError('conflict', what)
}

/** A place in the row as the place in what was given, which may name records in another way. */
function asGiven(path: string, raw: unknown): string {
  const ids = /^(.*)memberIds\[(\d+)\]$/.exec(path)
  if (ids) {
    const [, before = '', index = ''] = ids
    const members = at(raw, `${before}members`)
    if (!Array.isArray(members)) return path
    return `${before}members[${index}]${typeof members[Number(index)] === 'number' ? '' : '.id'}`
  }
  // A child has its parent from where it stands.
  if (raw === undefined && path === 'parentId') return 'id'
  if (path !== 'categoryId' || at(raw, 'category') === undefined) return path
  return typeof at(raw, 'category') === 'number' ? 'category' : 'category.id'
}

/** The value at a path like `memberRoles[0].members`. */
function at(value: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((key) => key !== '')
    .reduce<unknown>(
      (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
      value,
    )
}
