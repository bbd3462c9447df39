import * as z from 'zod'

import { anyValue, date, instant, recordId } from '../contract/fields.ts'
import { signalStatuses } from '../contract/statuses.ts'

/**
 * The stored form of every record: normalised, null where a value is absent, references by id or by key.
 * Times are instants in UTC with milliseconds; `organizationId` stands in every row.
 */

/** The values that a customer's product can be in. Source: assumption A-37. */
export const productStatuses = ['active', 'onboarding', 'churned'] as const

/** Source: States and transitions. */
export const logStatuses = ['info', 'failed'] as const

/** Source: assumption A-23. */
export const customFieldTypes = ['text', 'number', 'boolean', 'date', 'select'] as const

/** Source: assumption A-26. */
export const metricTypes = ['number', 'percent', 'text', 'boolean'] as const

const lookup = z.strictObject({ id: recordId, name: z.string() })
const keyedValue = z.strictObject({ key: z.string().min(1), value: anyValue })
const text = z.string()
const owned = { id: recordId, organizationId: z.string().min(1) }

export const OrganizationRow = z.strictObject({ id: z.string().min(1), name: text })

export const MemberRow = z.strictObject({
  ...owned,
  firstName: text,
  lastName: text,
  email: text,
  /** The job title; shown with the credentials, no field of the service. */
  title: text,
  /** The member's own id at the top of the hierarchy. */
  managerId: recordId,
})

export const CustomerRow = z.strictObject({
  ...owned,
  name: text,
  city: text,
  country: text,
  region: text,
  timezone: text,
  domain: text,
  employeeCount: z.int().nonnegative(),
  segment: text,
  /** `key` is a member-role definition's. */
  memberRoles: z.array(z.strictObject({ key: z.string(), memberIds: z.array(recordId) })),
  /** `key` is a custom field definition's. */
  customFields: z.array(keyedValue),
  /** `key` is a product's, a metric's `key` one of that product's metrics. */
  products: z.array(
    z.strictObject({
      key: text,
      status: z.enum(productStatuses),
      arr: z.number(),
      renewalDate: date,
      engagement: z.strictObject({ level: text }),
      upsell: z.strictObject({ level: text }),
      metrics: z.array(keyedValue),
    }),
  ),
  sources: z.array(z.strictObject({ key: z.string().min(1), externalId: z.string().min(1) })),
  updatedDate: instant,
})

export const SignalRow = z.strictObject({
  ...owned,
  customerId: recordId,
  productId: recordId,
  status: z.enum(signalStatuses),
  /** Which of several names of the status was chosen; without, the id decides. Source: assumption A-10. */
  statusShare: z.int().nonnegative().optional(),
  source: text,
  summary: text,
  severity: z.int(),
  severityExplanation: text.nullable(),
  createdById: recordId,
  updatedById: recordId,
  ownerId: recordId,
  latestNote: text.nullable(),
  isDraft: z.boolean(),
  isPrimary: z.boolean(),
  createdDate: instant,
  raisedDate: instant.nullable(),
  closedDate: instant.nullable(),
  updatedDate: instant,
  opportunity: text.nullable(),
  category: lookup,
  dismissalReason: lookup.nullable(),
  subCategory: lookup.nullable(),
  outcome: lookup.nullable(),
  outcomeNotes: text.nullable(),
  competitor: lookup.nullable(),
  type: z.strictObject({ id: recordId, name: z.string(), color: z.string() }),
})

const MeetingPersonRow = z.strictObject({ id: recordId, email: text, firstName: text, lastName: text })

export const TranscriptLineRow = z.strictObject({
  speaker: text,
  text,
  startSeconds: z.number().nonnegative(),
  endSeconds: z.number().nonnegative(),
})

export const MeetingRow = z.strictObject({
  ...owned,
  customerId: recordId,
  topic: text,
  summary: text.nullable(),
  url: text.nullable(),
  startDate: instant,
  endDate: instant,
  memberIds: z.array(recordId),
  users: z.array(MeetingPersonRow),
  contacts: z.array(MeetingPersonRow),
  unmatchedParticipants: z.array(text),
  nextSteps: z.array(text),
  hasTranscript: z.boolean(),
  createdDate: instant,
  updatedDate: instant,
  /** Given only where it is not drawn on reading. */
  transcript: z.array(TranscriptLineRow).optional(),
})

export const NoteRow = z.strictObject({
  ...owned,
  customerId: recordId,
  categoryId: recordId,
  content: text,
  createdById: recordId,
  createdDate: instant,
  updatedDate: instant,
})

export const AutomationRow = z.strictObject({
  ...owned,
  name: text,
  deactivatedDate: instant.nullable(),
  /** The automation that this one is a child of; null at the top. */
  parentId: recordId.nullable(),
  triggers: z.array(z.strictObject({ id: recordId })),
  actions: z.array(z.strictObject({ id: recordId })),
})

const log = {
  ...owned,
  automationId: recordId,
  status: z.enum(logStatuses),
  /** Given only where it is not drawn on reading. */
  message: text.optional(),
  createdDate: instant,
}
export const TriggerLogRow = z.strictObject({ ...log, triggerId: recordId })
export const ActionLogRow = z.strictObject({ ...log, actionId: recordId })

export const BriefRow = z.strictObject({
  ...owned,
  key: text,
  name: text,
  description: text,
  isActive: z.boolean(),
})

export const BriefContentRow = z.strictObject({
  ...owned,
  customerId: recordId,
  briefId: recordId,
  /** Markdown; given only where it is not drawn on reading. */
  content: text.optional(),
  createdDate: instant,
})

export const CustomFieldRow = z.strictObject({
  ...owned,
  key: z.string().min(1),
  name: text,
  type: z.enum(customFieldTypes),
  options: z.array(text),
})

export const MemberRoleRow = z.strictObject({ ...owned, key: z.string().min(1), name: text })

export const NoteCategoryRow = z.strictObject({ ...owned, name: text, isActive: z.boolean() })

export const ProductRow = z.strictObject({ ...owned, key: z.string().min(1), name: text })

export const ProductMetricRow = z.strictObject({
  ...owned,
  productId: recordId,
  key: z.string().min(1),
  name: text,
  type: z.enum(metricTypes),
})

export type OrganizationRow = z.infer<typeof OrganizationRow>
export type CustomerRow = z.infer<typeof CustomerRow>
export type TranscriptLineRow = z.infer<typeof TranscriptLineRow>
