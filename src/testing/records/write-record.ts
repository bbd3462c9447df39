import * as z from 'zod'

import type { createGenerator } from '../../../seed/dataset/generators.ts'
import { withoutField, withoutGeneratedText } from '../../../seed/dataset/long-texts.ts'
import type { Settings } from '../../contract/choices.ts'
import { SandboxError } from '../../core/errors.ts'
import { validationErrors } from '../../core/issues.ts'
import { didYouMean } from '../../core/nearest.ts'
import { checkReferences, findByKey } from '../../store/references.ts'
import {
  findContradictions,
  type Row,
  rowSchemas,
  type TableName,
  tables,
  nameRecord,
} from '../../store/tables.ts'
import { deleteRow } from './dependents.ts'
import { type DraftContext, type Fields, listRemoved, type RecordForm } from './forms/form.ts'
import { forms } from './forms/forms.ts'
import { toGivenPath, type Item, type ValidationErrors } from './item.ts'
import { type Stage, touch } from './stage.ts'

export interface WriteContext {
  readonly stage: Stage
  readonly generate: ReturnType<typeof createGenerator>
  readonly now: string
  readonly settings: Settings
  readonly errors: ValidationErrors
}

export interface WrittenRecord<T extends TableName = TableName> {
  readonly table: T
  readonly input: Fields<T>
  readonly context: DraftContext<T>
}

/**
 * Writes a record to the stage, unchecked; the children of an automation are written with it.
 * Shape: all written records, the given one first; empty if it was rejected.
 */
export function writeRecord(item: Item, context: WriteContext): WrittenRecord[] {
  if (item.write === 'create') rejectExisting(item, context.stage)
  if (item.table === 'automations') return writeAutomation({ ...item, table: item.table }, context)
  const written = writeRow(item, context)
  return written ? [written] : []
}

function writeAutomation(item: Item<'automations'>, context: WriteContext): WrittenRecord[] {
  const { stage } = context
  const before = item.id === undefined ? undefined : stage.get('automations', item.id)
  const written = writeRow(item, context)
  if (!written) return []
  const { id } = written.context
  const row = stage.get('automations', id)
  if (before && row) deleteLostLogs(before, row, stage)
  const { children } = item.input
  if (!children) return [written]
  const below = children.flatMap(({ id: childId, ...input }, index) =>
    writeAutomation(
      {
        table: 'automations',
        id: childId,
        write: 'patch',
        raw: undefined,
        path: [...item.path, 'children', index],
        input: { ...input, parentId: id },
        organizationId: undefined,
      },
      context,
    ),
  )
  const kept = new Set(below.map((child) => child.context.id))
  for (const child of stage.find('automations', 'parentId', id)) {
    if (!kept.has(child.id)) deleteRow('automations', child, stage)
  }
  return [written, ...below]
}

function deleteLostLogs(before: Row<'automations'>, row: Row<'automations'>, stage: Stage): void {
  for (const parts of ['triggers', 'actions'] as const) {
    const kept = new Set(row[parts].map(({ id }) => id))
    if (before[parts].every(({ id }) => kept.has(id))) continue
    const table = parts === 'triggers' ? 'triggerLogs' : 'actionLogs'
    for (const log of stage.data.select(table, [['automationId', row.id]]).page()) {
      const part = 'triggerId' in log ? log.triggerId : log.actionId
      if (!kept.has(part)) stage.put(table, log.id, null)
    }
  }
}

function writeRow<T extends TableName>(item: Item<T>, context: WriteContext): WrittenRecord<T> | undefined {
  const { stage, errors, now, settings } = context
  const { table } = item
  const form = forms[table]
  const before = item.id === undefined ? undefined : stage.get(table, item.id)
  let isRejected = false
  const reject = (path: string, message: string): undefined => {
    isRejected = true
    errors.add(item, toGivenPath(path, item.raw), message)
  }
  // A record that comes back after its deletion keeps its organization, since others refer to it.
  const former = before ?? (item.id === undefined ? undefined : stage.unchanged.get(table, item.id))
  const owned = resolveOwner(form, item, { before, former: former?.organizationId, reject }, stage)
  if (!owned) return undefined
  const draft: DraftContext<T> = {
    id: item.id ?? stage.nextId(table, owned.organizationId),
    data: stage.data,
    before,
    isPatch: before !== undefined && item.write === 'patch',
    now,
    settings,
    reject,
    organizationId: owned.organizationId,
  }
  const values = { ...form.toFields(item.input, draft), ...owned.fields, id: draft.id }
  if (isRejected) return undefined
  const row =
    before && draft.isPatch
      ? patchRow(form, values, before, context)
      : generateRow(form, values, draft, context)
  const adjusted = form.adjust?.(row, values, draft) ?? row
  stage.put(table, draft.id, listRemoved(table, item.input).reduce(withoutField, adjusted))
  return { table, input: values, context: draft }
}

function patchRow<T extends TableName>(
  form: RecordForm<T>,
  input: Fields<T>,
  before: Row<T>,
  context: WriteContext,
): Row<T> {
  const fields = form.regenerate?.(before, input).filter((field) => input[field] === undefined) ?? []
  let row: Row<T> = { ...before, ...input }
  if (!('updatedDate' in input)) row = touch(row, context.now)
  if (fields.length === 0) return row
  const rest = { ...row }
  for (const field of fields) delete rest[field]
  const generated = context.generate(form.table, before.id, rest)
  for (const field of fields) row[field] = generated[field]
  return row
}

function generateRow<T extends TableName>(
  form: RecordForm<T>,
  input: Fields<T>,
  { id, before, now }: DraftContext<T>,
  context: WriteContext,
): Row<T> {
  const identity: Fields<T> = {}
  if (before) for (const field of form.identity) identity[field] = before[field]
  const fixed = { ...form.defaults?.(input, now), ...identity, ...input }
  const row = context.generate(form.table, id, fixed)
  if ('key' in fixed || !('key' in row)) return row
  const { key, name, organizationId } = row
  const isTaken = findByKey(form.table, key, organizationId, context.stage).some((other) => other.id !== id)
  return isTaken ? { ...row, key: `${key}${id}`, name: 'name' in fixed ? name : `${name} ${id}` } : row
}

/**
 * Checks a written record against all others, and removes texts that can be generated.
 * Shape: the record as GET returns it; undefined if it was rejected.
 */
export function checkRecord<T extends TableName>(
  { table, input, context }: WrittenRecord<T>,
  { stage }: WriteContext,
): object | undefined {
  const { reject } = context
  const form = forms[table]
  const staged = stage.get(table, context.id)
  const contradictions = staged
    ? [...findContradictions(table, staged, input), ...(form.findLateDates?.(staged, input, context) ?? [])]
    : []
  const dangling = staged ? checkReferences(table, staged, stage) : []
  for (const { path, message } of contradictions) reject(path, message)
  for (const { path, message, remedy } of dangling) reject(path, `${message}. ${remedy}`)
  if (contradictions.length > 0 || dangling.length > 0) return undefined
  const schema: z.ZodType<Row<T>> = rowSchemas[table]
  const row = validate(schema, () => schema.parse(staged), reject)
  if (!row) return undefined
  const stored = withoutGeneratedText(table, row, stage.data.texts, stage.data)
  const record = validate(schema, () => form.toRecord(stored, stage.data), reject)
  if (record) stage.put(table, context.id, stored)
  return record
}

function validate<R>(
  schema: z.ZodType,
  parse: () => R,
  reject: (path: string, message: string) => void,
): R | undefined {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    for (const { name, message } of validationErrors('body', schema, error.issues)) reject(name, message)
    return undefined
  }
}

function rejectExisting({ table, id }: Item, stage: Stage): void {
  if (id === undefined || !stage.get(table, id)) return
  const detail = `Cannot create ${nameRecord(table, id)}: it already exists. Replace it with PUT, or choose another id.`
  throw new SandboxError('conflict', detail)
}

/**
 * Resolves the organization of a record, and its owner if it has one. A record belongs to its owner's organization. A
 * record without an owner keeps its organization; a new one gets the requested organization, or the first.
 * Shape: undefined if the record was rejected.
 */
function resolveOwner<T extends TableName>(
  { owner: ownerField, canOwn = () => true, findOwner }: RecordForm<T>,
  { input, organizationId: ofCall }: Item<T>,
  { before, former, reject }: Pick<DraftContext<T>, 'before' | 'reject'> & { former: string | undefined },
  stage: Stage,
): { readonly organizationId: string; readonly fields: Fields<T> } | undefined {
  const requested = input.organizationId ?? ofCall
  const ids = stage.organizations.map(({ id }) => id)
  if (requested !== undefined && !ids.includes(requested))
    return reject('organizationId', `${requested} matches no organization. ${didYouMean(requested, ids)}`)
  let owner: Row<TableName> | undefined
  if (ownerField) {
    const { field, table, isOptional } = ownerField
    const { noun } = tables[table]
    const named: unknown = input[field] ?? findOwner?.(input, stage.data)
    const id: unknown = named === undefined && input[field] !== null ? before?.[field] : named
    if (typeof id === 'number') {
      owner = stage.get(table, id)
      if (!owner) return reject(field, `${id} matches no ${noun}. Add the ${noun} or change the id.`)
    } else if (!isOptional) {
      const organizationId = former ?? requested ?? ids[0]
      owner = stage.list(table, organizationId ?? '').find(canOwn)
      const fact = `${organizationId} has no ${noun} to use by default`
      if (!owner) return reject(field, `is required, because ${fact}`)
    }
  }
  const implied = ownerField?.isOptional
    ? (former ?? owner?.organizationId)
    : (owner?.organizationId ?? former)
  const organizationId = implied ?? requested ?? ids[0]
  if (organizationId === undefined)
    return reject('organizationId', 'is required, because there are no organizations')
  if (requested !== undefined && requested !== organizationId) {
    const subject = owner && ownerField ? `its ${nameRecord(ownerField.table, owner.id)}` : 'the record'
    return reject('organizationId', `must be ${organizationId}, because ${subject} belongs to it`)
  }
  const fields = ownerField && owner ? { organizationId, [ownerField.field]: owner.id } : { organizationId }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every row has an organization, and the owner's field is one of the row's
  return { organizationId, fields: fields as Fields<T> }
}
