import { didYouMean } from '../core/nearest.ts'
import { type Row, type TableName, tables } from '../store/tables.ts'
import type { DraftContext, Fields, GivenFields, RecordForm } from './forms/form.ts'
import type { Stage } from './stage.ts'

type Claim<T extends TableName> = Pick<DraftContext<T>, 'before' | 'reject'> & {
  readonly input: GivenFields<T>
  readonly organizationId: string | undefined
}

/**
 * Resolves the organization of a record, and its owner if it has one. A record belongs to its owner's organization. A
 * record without an owner keeps its organization; a new one gets the requested organization, or the first.
 * Shape: undefined if the record was rejected.
 */
export function resolveOwner<T extends TableName>(
  { owner: ownerField, canOwn = () => true, findOwner }: RecordForm<T>,
  { input, before, reject, ...claim }: Claim<T>,
  stage: Stage,
): { readonly organizationId: string; readonly fields: Fields<T> } | undefined {
  const requested = input.organizationId ?? claim.organizationId
  const ids = stage.organizations.map(({ id }) => id)
  if (requested !== undefined && !ids.includes(requested)) {
    reject('organizationId', `${requested} matches no organization. ${didYouMean(requested, ids)}`)
    return undefined
  }
  const former = before?.organizationId
  let owner: Row<TableName> | undefined
  if (ownerField) {
    const { field, table, isOptional } = ownerField
    const { noun } = tables[table]
    const named: unknown = input[field] ?? findOwner?.(input, stage.data)
    const id: unknown = named === undefined && input[field] !== null ? before?.[field] : named
    if (typeof id === 'number') {
      owner = stage.get(table, id)
      if (!owner) reject(field, `${id} matches no ${noun}. Add the ${noun} or change the id.`)
    } else if (!isOptional) {
      const organizationId = former ?? requested ?? ids[0]
      owner = stage.list(table, organizationId ?? '').find(canOwn)
      if (!owner) reject(field, `is required, because ${organizationId} has no ${noun} to use by default`)
    }
    if (!owner && (typeof id === 'number' || !isOptional)) return undefined
  }
  const implied = ownerField?.isOptional
    ? (former ?? owner?.organizationId)
    : (owner?.organizationId ?? former)
  const organizationId = implied ?? requested ?? ids[0]
  if (organizationId === undefined) {
    reject('organizationId', 'is required, because there are no organizations')
    return undefined
  }
  if (requested !== undefined && requested !== organizationId) {
    const subject = owner && ownerField ? `its ${tables[ownerField.table].noun} ${owner.id}` : 'the record'
    reject('organizationId', `must be ${organizationId}, because ${subject} belongs to it`)
    return undefined
  }
  const fields = ownerField && owner ? { organizationId, [ownerField.field]: owner.id } : { organizationId }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every row has an organization, and the owner's field is one of the row's
  return { organizationId, fields: fields as Fields<T> }
}
