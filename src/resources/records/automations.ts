import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { AutomationRow } from '../../store/rows.ts'
import { Automation } from '../automations.ts'
import { known, recordForm } from './form.ts'
import { optionalInstant, owned, reference } from './input.ts'

const part = reference(z.strictObject({ id: recordId })).transform((id) => ({ id }))

const parts = {
  id: recordId.optional(),
  name: z.string().optional(),
  deactivatedDate: optionalInstant.optional(),
  /** `[7]` or `[{ id: 7 }]`. */
  triggers: z.array(part).optional(),
  actions: z.array(part).optional(),
}

/** An automation inside its parent. */
export interface ChildInput {
  readonly id?: number | undefined
  readonly name?: string | undefined
  readonly deactivatedDate?: string | null | undefined
  readonly triggers?: readonly (number | { readonly id: number })[] | undefined
  readonly actions?: readonly (number | { readonly id: number })[] | undefined
  readonly children?: readonly ChildInput[] | undefined
}

/** A child as it was given, parsed. */
export interface GivenChild {
  readonly id?: number | undefined
  readonly name?: string | undefined
  readonly deactivatedDate?: string | null | undefined
  readonly triggers?: { id: number }[] | undefined
  readonly actions?: { id: number }[] | undefined
  readonly children?: readonly GivenChild[] | undefined
}

const child: z.ZodType<GivenChild, ChildInput> = z.strictObject({
  ...parts,
  get children() {
    return z.array(child).optional()
  },
})

/**
 * An automation with its children and theirs, which are arranged along with it: one with the id of an automation
 * is that one, changed as given; what is no child any more is deleted.
 */
export const automationForm = recordForm({
  table: 'automations',
  row: AutomationRow,
  operation: 'getAutomation',
  shape: Automation,
  extras: ({ organizationId, parentId }) => ({ organizationId, parentId }),
  input: z.strictObject({
    ...owned,
    ...parts,
    /** The automation that this one is a child of; null at the top. */
    parentId: recordId.nullable().optional(),
    children: z.array(child).optional(),
  }),
  owner: { field: 'parentId', table: 'automations', isOptional: true },
  identity: ['parentId'],
  fields: ({ children: _children, ...rest }) => known(rest),
  stamps: () => ({ parentId: null }),
})
