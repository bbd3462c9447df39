import { didYouMean } from '../../contract/nearest.ts'
import type { Fields, RecordForm } from '../../resources/records/form.ts'
import { nouns } from '../../store/references.ts'
import type { Row, TableName } from '../../store/tables.ts'
import type { Stage } from './stage.ts'

/** What tells where a record belongs. */
export interface Claim<T extends TableName> {
  /** The fields that were given, in the row's spelling as far as they are needed here. */
  readonly given: Fields<T>
  readonly before: Row<T> | undefined
  /** The organization for a record that nothing else tells the organization of. */
  readonly organizationId: string | undefined
  readonly refuse: (path: string, message: string) => void
}

/**
 * The fields that say where a record belongs: its organization, and its owner if it has one.
 * A record belongs to its owner's organization; without an owner it stays in its own, and a new one is in the
 * organization that is asked for, or in the first.
 * Shape: undefined where that was refused.
 */
export function belonging<T extends TableName>(
  form: RecordForm<T>,
  claim: Claim<T>,
  stage: Stage,
): { readonly organizationId: string; readonly fields: Fields<T> } | undefined {
  const { given, before, refuse } = claim
  const asked = given.organizationId ?? claim.organizationId
  const ids = stage.organizations.map(({ id }) => id)
  if (asked !== undefined && !ids.includes(asked)) {
    refuse('organizationId', `${asked} matches no organization. ${didYouMean(asked, ids)}`)
    return undefined
  }
  const owner = form.owner && ownerOf(form, claim, before?.organizationId ?? asked ?? ids[0], stage)
  if (owner === 'refused') return undefined
  const former = before?.organizationId
  const told = form.owner?.isOptional ? (former ?? owner?.organizationId) : (owner?.organizationId ?? former)
  const organizationId = told ?? asked ?? ids[0]
  if (organizationId === undefined) {
    refuse('organizationId', 'is required: there is no organization')
    return undefined
  }
  if (asked !== undefined && asked !== organizationId) {
    const what = owner && form.owner ? `its ${nouns[form.owner.table]} ${owner.id}` : 'the record'
    refuse('organizationId', `must be ${organizationId}, which ${what} belongs to`)
    return undefined
  }
  const fields = form.owner && owner ? { organizationId, [form.owner.field]: owner.id } : { organizationId }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every row has an organization, and the owner's field is one of the row's
  return { organizationId, fields: fields as Fields<T> }
}

/** The record that another one belongs to: given, told by something else, as before, or the organization's first. */
function ownerOf<T extends TableName>(
  form: RecordForm<T>,
  { given, before, refuse }: Claim<T>,
  organizationId: string | undefined,
  stage: Stage,
): Row<TableName> | 'refused' | undefined {
  const { owner } = form
  if (!owner) return undefined
  const named: unknown = given[owner.field] ?? owner.implied?.(given, stage.data)
  const id: unknown = named === undefined && given[owner.field] !== null ? before?.[owner.field] : named
  const noun = nouns[owner.table]
  if (typeof id === 'number') {
    const found = stage.get(owner.table, id)
    if (found) return found
    refuse(owner.field, `${id} matches no ${noun}. Add the ${noun} or change the id.`)
    return 'refused'
  }
  if (owner.isOptional) return undefined
  const first = stage.list(owner.table, organizationId ?? '').find((row) => owner.suits?.(row) ?? true)
  if (!first) refuse(owner.field, `is required: ${organizationId} has no ${noun} that it could belong to`)
  return first ?? 'refused'
}
