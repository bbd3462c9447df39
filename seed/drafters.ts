import type { Row, TableName } from '../src/store/tables.ts'
import { draftAutomation } from './automations.ts'
import { draftBriefContent } from './brief-contents.ts'
import { draftCustomer } from './customers.ts'
import {
  draftBrief,
  draftCustomField,
  draftMemberRole,
  draftNoteCategory,
  draftProduct,
  draftProductMetric,
} from './definitions.ts'
import { draftActionLog, draftTriggerLog } from './logs.ts'
import { draftMeeting } from './meetings.ts'
import { draftMember } from './members.ts'
import { draftNote } from './notes.ts'
import { draftSignal } from './signals.ts'
import type { Tenant } from './tenant.ts'

/** Draws what is not given of a row, so that it agrees with what is. */
type Drafter<T extends TableName> = (id: number, given: Partial<Row<T>>, tenant: Tenant) => Row<T>

/** How the rows of each table are drawn. */
const drafters: { readonly [T in TableName]: Drafter<T> } = {
  members: draftMember,
  customers: draftCustomer,
  signals: draftSignal,
  meetings: draftMeeting,
  notes: draftNote,
  automations: draftAutomation,
  triggerLogs: draftTriggerLog,
  actionLogs: draftActionLog,
  briefs: draftBrief,
  briefContents: draftBriefContent,
  products: draftProduct,
  productMetrics: draftProductMetric,
  customFields: draftCustomField,
  memberRoles: draftMemberRole,
  noteCategories: draftNoteCategory,
}

/** A complete row: what is given of it, and the rest drawn from its key. Errors: as `createTenant`. */
export function draftRow<T extends TableName>(
  table: T,
  id: number,
  given: Partial<Row<T>> | undefined,
  tenant: Tenant,
): Row<T> {
  if (given === undefined) return drafters[table](id, {}, tenant)
  return { ...drafters[table](id, given, tenant), ...given }
}
