import type { Row, TableName } from '../../src/store/tables.ts'
import { generateAutomation } from '../automations/automations.ts'
import { generateActionLog, generateTriggerLog } from '../automations/logs.ts'
import { generateCustomer } from '../customers/customers.ts'
import {
  generateBrief,
  generateCustomField,
  generateMemberRole,
  generateNoteCategory,
  generateProduct,
  generateProductMetric,
} from '../definitions/definitions.ts'
import { generateMeeting } from '../meetings/meetings.ts'
import { generateBriefContent } from '../notes-and-briefs/brief-contents.ts'
import { generateNote } from '../notes-and-briefs/notes.ts'
import { generateMember } from '../people/members.ts'
import { generateSignal } from '../signals/signals.ts'
import { createTenant, type DraftContext, type Tenant } from './tenant.ts'

type RowGenerator<T extends TableName> = (id: number, fields: Partial<Row<T>>, tenant: Tenant) => Row<T>

const generators: { readonly [T in TableName]: RowGenerator<T> } = {
  members: generateMember,
  customers: generateCustomer,
  signals: generateSignal,
  meetings: generateMeeting,
  notes: generateNote,
  automations: generateAutomation,
  triggerLogs: generateTriggerLog,
  actionLogs: generateActionLog,
  briefs: generateBrief,
  briefContents: generateBriefContent,
  products: generateProduct,
  productMetrics: generateProductMetric,
  customFields: generateCustomField,
  memberRoles: generateMemberRole,
  noteCategories: generateNoteCategory,
}

export function generateRow<T extends TableName>(
  table: T,
  id: number,
  fields: Partial<Row<T>> | undefined,
  tenant: Tenant,
): Row<T> {
  if (fields === undefined) return generators[table](id, {}, tenant)
  return { ...generators[table](id, fields, tenant), ...fields }
}

/**
 * Creates a function that generates complete and plausible rows, consistent with the given fields. Rows of the same table
 * in succession share what was read of other tables.
 * Errors: `invalid_request` if the given customer, automation or organization does not exist.
 */
export function createGenerator(
  context: DraftContext,
): <T extends TableName>(table: T, id: number, fields: Partial<Row<T>>) => Row<T> {
  let latest: { readonly table: TableName; readonly tenant: Tenant } | undefined
  return (table, id, fields) => {
    if (latest?.table !== table) latest = { table, tenant: createTenant(context) }
    return generateRow(table, id, fields, latest.tenant)
  }
}
