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
  extras: ['parentId'],
  input: lazyStrictObject(() => ({
    ...inputFields('automations'),
    ...childFields.shape,
    children: z.array(child).optional(),
  })),
  toFields: ({ children: _children, ...rest }) => rest,
  defaults: () => ({ parentId: null }),
})

const message = z.string().nullable().optional()

/** The rules for the logs of triggers or of actions, which belong to the automation that has these. */
const logRules = (parts: 'triggers' | 'actions') => ({
  findOwner: (input: { triggerId?: number | undefined; actionId?: number | undefined }, data: Data) => {
    const id = input.triggerId ?? input.actionId
    return id === undefined ? undefined : data.select('automations', [[parts, id]]).page(0, 1)[0]?.id
  },
  canOwn: (owner: Row<TableName>) => 'triggers' in owner && owner[parts].length > 0,
  defaults: (_: unknown, now: string) => ({ createdDate: now }),
})

export const triggerLogForm = recordForm('triggerLogs', {
  ...logRules('triggers'),
  operation: 'listAutomationTriggerLogs',
  extras: ['automationId', 'triggerId'],
  input: lazyStrictObject(() => ({ ...inputFields('triggerLogs'), message })),
  identity: ['triggerId'],
})

export const actionLogForm = recordForm('actionLogs', {
  ...logRules('actions'),
  operation: 'listAutomationActionLogs',
  extras: ['automationId', 'actionId'],
  input: lazyStrictObject(() => ({ ...inputFields('actionLogs'), message })),
  identity: ['actionId'],
})
