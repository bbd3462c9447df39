import type * as z from 'zod'

import type { TableName } from '../../store/tables.ts'
import { automationForm } from './automations.ts'
import { briefContentForm, briefForm } from './briefs.ts'
import { customerForm } from './customers.ts'
import { customFieldForm, memberRoleForm, noteCategoryForm } from './definitions.ts'
import type { RecordForm } from './form.ts'
import { actionLogForm, triggerLogForm } from './logs.ts'
import { meetingForm } from './meetings.ts'
import { memberForm } from './members.ts'
import { noteForm } from './notes.ts'
import { productForm, productMetricForm } from './products.ts'
import { signalForm } from './signals.ts'

const collections = {
  members: memberForm,
  customers: customerForm,
  signals: signalForm,
  meetings: meetingForm,
  notes: noteForm,
  automations: automationForm,
  triggerLogs: triggerLogForm,
  actionLogs: actionLogForm,
  briefs: briefForm,
  briefContents: briefContentForm,
  products: productForm,
  productMetrics: productMetricForm,
  customFields: customFieldForm,
  memberRoles: memberRoleForm,
  noteCategories: noteCategoryForm,
}

/** What a record of a collection may be given. */
export type InputOf = { readonly [T in TableName]: z.input<(typeof collections)[T]['input']> }

/** What GET shows of a record of a collection. */
export type RecordOf = { readonly [T in TableName]: ReturnType<(typeof collections)[T]['record']> }

/** How the records of each collection are arranged. */
export const forms: { readonly [T in TableName]: RecordForm<T> } = collections
