import * as z from 'zod'

import { recordId } from '../../../contract/fields.ts'
import { lazyStrictObject } from '../../../core/lazy-schema.ts'
import type { Data } from '../../../store/session-data.ts'
import type { Row, TableName } from '../../../store/tables.ts'
import { inputFields, optionalInstant, recordInput, recordForm } from './form.ts'

const part = recordInput(z.strictObject({ id: recordId })).transform((id) => ({ id }))

const childFields = lazyStrictObject(() => ({
  id: recordId.optional(),
  name: z.string().optional(),
  deactivatedDate: optionalInstant.optional(),
  triggers: z.array(part).optional(),
  actions: z.array(part).optional(),
}))

type ChildInput = z.input<typeof childFields> & { readonly children?: readonly ChildInput[] | undefined }
export type ParsedChild = z.output<typeof childFields> & {
  readonly children?: readonly ParsedChild[] | undefined
}

const child: z.ZodType<ParsedChild, ChildInput> = lazyStrictObject(() => ({
  ...childFields.shape,
  get children() {
    return z.array(child).optional()
  },
}))

/**
 * An automation with its children, which are written with it. A child with the id of an existing automation changes that
 * automation; children that are not given are deleted.
 */
export const automationForm = recordForm('automations', {
  operation: 'getAutomation',
  extras: ['organizationId', 'parentId'],
  input: lazyStrictObject(() => ({
    ...inputFields('automations'),
    ...childFields.shape,
    children: z.array(child).optional(),
  })),
  toFields: ({ children: _children, ...rest }) => rest,
  defaults: () => ({ parentId: null }),
})

const message = z.string().nullable().optional()

export const triggerLogForm = recordForm('triggerLogs', {
  operation: 'listAutomationTriggerLogs',
  extras: ['organizationId', 'automationId', 'triggerId'],
  input: lazyStrictObject(() => ({ ...inputFields('triggerLogs'), message })),
  findOwner: ({ triggerId }, data) => findAutomation('triggers', triggerId, data),
  canOwn: (owner) => hasAny('triggers', owner),
  identity: ['triggerId'],
  defaults: (_, now) => ({ createdDate: now }),
})

export const actionLogForm = recordForm('actionLogs', {
  operation: 'listAutomationActionLogs',
  extras: ['organizationId', 'automationId', 'actionId'],
  input: lazyStrictObject(() => ({ ...inputFields('actionLogs'), message })),
  findOwner: ({ actionId }, data) => findAutomation('actions', actionId, data),
  canOwn: (owner) => hasAny('actions', owner),
  identity: ['actionId'],
  defaults: (_, now) => ({ createdDate: now }),
})

const hasAny = (parts: 'triggers' | 'actions', owner: Row<TableName>): boolean =>
  'triggers' in owner && owner[parts].length > 0

function findAutomation(
  parts: 'triggers' | 'actions',
  id: number | undefined,
  data: Data,
): number | undefined {
  return id === undefined ? undefined : data.select('automations', [[parts, id]]).page(0, 1)[0]?.id
}
