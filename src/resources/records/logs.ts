import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { ActionLogRow, logStatuses, TriggerLogRow } from '../../store/rows.ts'
import type { Data } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { ActionLogEntry, TriggerLogEntry } from '../automations.ts'
import { known, recordForm } from './form.ts'
import { instantInput, owned } from './input.ts'

const common = {
  ...owned,
  automationId: recordId,
  status: z.enum(logStatuses),
  /** Null for one that is drawn on reading. */
  message: z.string().nullable(),
  createdDate: instantInput,
}

/** What a trigger wrote down, with the automation and the trigger. */
export const triggerLogForm = recordForm({
  table: 'triggerLogs',
  row: TriggerLogRow,
  operation: 'listAutomationTriggerLogs',
  shape: TriggerLogEntry,
  extras: ({ organizationId, automationId, triggerId }) => ({ organizationId, automationId, triggerId }),
  input: z.strictObject({ ...common, triggerId: recordId }).partial(),
  owner: {
    field: 'automationId',
    table: 'automations',
    suits: (owner) => has(owner, 'triggers'),
    implied: ({ triggerId }, data) => holderOf('triggers', triggerId, data),
  },
  identity: ['automationId', 'triggerId'],
  fields: ({ message, ...rest }) => known({ ...rest, message: message ?? undefined }),
  stamps: (_, now) => ({ createdDate: now }),
  drawn: { field: 'message', draw: (row, data) => data.texts.logMessage(row, data) },
})

/** What an action wrote down, with the automation and the action. */
export const actionLogForm = recordForm({
  table: 'actionLogs',
  row: ActionLogRow,
  operation: 'listAutomationActionLogs',
  shape: ActionLogEntry,
  extras: ({ organizationId, automationId, actionId }) => ({ organizationId, automationId, actionId }),
  input: z.strictObject({ ...common, actionId: recordId }).partial(),
  owner: {
    field: 'automationId',
    table: 'automations',
    suits: (owner) => has(owner, 'actions'),
    implied: ({ actionId }, data) => holderOf('actions', actionId, data),
  },
  identity: ['automationId', 'actionId'],
  fields: ({ message, ...rest }) => known({ ...rest, message: message ?? undefined }),
  stamps: (_, now) => ({ createdDate: now }),
  drawn: { field: 'message', draw: (row, data) => data.texts.logMessage(row, data) },
})

const has = (owner: Row<TableName>, part: 'triggers' | 'actions'): boolean =>
  'triggers' in owner && owner[part].length > 0

/** The automation that a trigger or an action is one of. */
function holderOf(part: 'triggers' | 'actions', id: number | undefined, data: Data): number | undefined {
  if (id === undefined) return undefined
  const isHolder = (row: Row<'automations'>): boolean => row[part].some((candidate) => candidate.id === id)
  return data.select('automations', [], isHolder).page(0, 1)[0]?.id
}
