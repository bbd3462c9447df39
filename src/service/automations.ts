import * as z from 'zod'

import { instant, instantOrEmpty, optionalInstant, pagination, recordId } from '../contract/fields.ts'
import { assumedShape, documented, documentedShape } from '../contract/provenance.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import type { Data } from '../store/session-data.ts'
import type { Row } from '../store/tables.ts'
import { logStatuses, NO_PARENT } from '../store/tables/automations.ts'
import { type Address, endpoint, inPath, type Resource, resource } from './endpoint.ts'

const source = 'Automation'

const AutomationPart = documentedShape('AutomationPart', source, () => ({
  id: documented(recordId, source, 'A-30'),
}))

/** An automation with its children at every level. Source: Automation. */
export interface Automation {
  id: number
  name: string
  deactivatedDate: string
  triggers: { id: number }[]
  actions: { id: number }[]
  children: Automation[]
}

export const Automation: z.ZodType<Automation> = documentedShape('Automation', source, () => ({
  id: recordId,
  name: z.string(),
  deactivatedDate: optionalInstant(source),
  triggers: z.array(AutomationPart),
  actions: z.array(AutomationPart),
  get children() {
    return documented(z.array(Automation), source)
  },
}))

/** An automation in the list. Source: assumption A-19. */
export const AutomationSummary = assumedShape('AutomationSummary', 'A-19', () => ({
  id: recordId,
  name: z.string(),
  deactivatedDate: instantOrEmpty,
}))
export type AutomationSummary = z.infer<typeof AutomationSummary>

const logEntry = {
  id: recordId,
  status: z.enum(logStatuses),
  message: z.string(),
  createdDate: instant,
}

/** A log entry of a trigger. Source: Automation trigger log entry. */
export const TriggerLogEntry = documentedShape('TriggerLogEntry', 'Automation trigger log entry', () => ({
  ...logEntry,
  createdDate: documented(instant, 'Automation trigger log entry', 'A-35'),
}))
export type TriggerLogEntry = z.infer<typeof TriggerLogEntry>

/** A log entry of an action. Source: assumption A-20. */
export const ActionLogEntry = assumedShape('ActionLogEntry', 'A-20', () => logEntry)
export type ActionLogEntry = z.infer<typeof ActionLogEntry>

const automation: Resource<'automations', typeof Automation> = resource({
  table: 'automations',
  shape: Automation,
  embeds: ['automations'],
  derive: (row, data) => ({
    deactivatedDate: row.deactivatedDate ?? '',
    children: data
      .select('automations', [['parentId', row.id]])
      .page()
      .map((child) => automation.present(child, data)),
  }),
})

const automationSummary = resource({
  table: 'automations',
  shape: AutomationSummary,
  derive: (row) => ({ deactivatedDate: row.deactivatedDate ?? '' }),
})

const logged = {
  embeds: ['automations', 'customers', 'signals', 'members', 'products'] as const,
  derive: (row: Row<'triggerLogs'> | Row<'actionLogs'>, data: Data) => ({
    message: row.message ?? data.texts.logMessage(row, data),
  }),
}
const triggerLogEntry = resource({ table: 'triggerLogs', shape: TriggerLogEntry, ...logged })
const actionLogEntry = resource({ table: 'actionLogs', shape: ActionLogEntry, ...logged })

const findAutomation = inPath('automations', 'automationId')

function findWithPart(
  address: Address<{ readonly automationId: number }>,
  parts: 'triggers' | 'actions',
  id: number,
): Row<'automations'> | undefined {
  const row = findAutomation(address)
  return row?.[parts].some((part) => part.id === id) ? row : undefined
}

export const automationEndpoints = {
  listAutomations: endpoint({
    path: '/organizations/{organizationId}/automations',
    summary: 'The automations of the organization that are not the child of another',
    returns: 'list',
    assumes: 'A-02',
    resource: automationSummary,
    where: ({ path }) => [
      ['organizationId', path.organizationId],
      ['parentId', NO_PARENT, 'The list shows automations without a parent only'],
    ],
  }),
  getAutomation: endpoint({
    path: '/organizations/{organizationId}/automations/{automationId}',
    summary: 'One automation with its triggers, actions and children',
    resource: automation,
    find: findAutomation,
  }),
  listAutomationActionLogs: endpoint({
    path: '/organizations/{organizationId}/automations/{automationId}/actions/{actionId}/logs',
    summary: "The log of an automation's action, newest first",
    query: lazyObject(() => pagination),
    returns: 'page',
    assumes: 'A-01',
    resource: actionLogEntry,
    find: (address) => findWithPart(address, 'actions', address.path.actionId),
    where: ({ path }) => [
      ['automationId', path.automationId],
      ['actionId', path.actionId],
    ],
  }),
  listAutomationTriggerLogs: endpoint({
    path: '/organizations/{organizationId}/automations/{automationId}/triggers/{triggerId}/logs',
    summary: "The log of an automation's trigger, newest first",
    query: lazyObject(() => pagination),
    returns: 'page',
    resource: triggerLogEntry,
    find: (address) => findWithPart(address, 'triggers', address.path.triggerId),
    where: ({ path }) => [
      ['automationId', path.automationId],
      ['triggerId', path.triggerId],
    ],
  }),
}
