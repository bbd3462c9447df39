import * as z from 'zod'

import { instant, recordId } from '../../contract/fields.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { defineTable, partOf, recordFields } from './define.ts'

/** Source: States and transitions. */
export const logStatuses = ['info', 'failed'] as const

export const NO_PARENT = 0

const partRow = lazyStrictObject(() => ({ id: recordId }))

const toIds = (parts: readonly z.infer<typeof partRow>[]): number[] => parts.map(({ id }) => id)

export const automations = defineTable({
  noun: 'automation',
  row: lazyStrictObject(() => ({
    ...recordFields,
    name: z.string(),
    deactivatedDate: instant.nullable(),
    parentId: partOf('automations').nullable(),
    triggers: z.array(partRow),
    actions: z.array(partRow),
  })),
  indexes: {
    parentId: (row) => row.parentId ?? NO_PARENT,
    triggers: (row) => toIds(row.triggers),
    actions: (row) => toIds(row.actions),
  },
  hasIdsByOrganization: true,
})

const logFields = {
  ...recordFields,
  automationId: partOf('automations'),
  status: z.enum(logStatuses),
  message: z.string().optional(),
  createdDate: instant,
}

export const triggerLogs = defineTable({
  noun: 'trigger log',
  row: lazyStrictObject(() => ({ ...logFields, triggerId: recordId })),
  isNewestFirst: true,
  longText: 'message',
})

export const actionLogs = defineTable({
  noun: 'action log',
  row: lazyStrictObject(() => ({ ...logFields, actionId: recordId })),
  isNewestFirst: true,
  longText: 'message',
})
