import * as z from 'zod'

import { recordId } from '../../../contract/fields.ts'
import type { JsonObject } from '../../../core/json.ts'
import { lazyStrictObject } from '../../../core/lazy-schema.ts'
import type { Contract } from '../../../service/contract.ts'
import { NoteCategory } from '../../../service/definitions.ts'
import type { Data } from '../../../store/session-data.ts'
import type { Row, TableName } from '../../../store/tables.ts'
import { actionLogForm, automationForm, triggerLogForm } from './automations.ts'
import { customerForm } from './customers.ts'
import { inputFields, notLater, optionalInstant, recordInput, type RecordForm, recordForm } from './form.ts'
import { meetingForm } from './meetings.ts'
import { signalForm } from './signals.ts'

const collections = {
  members: recordForm('members', {
    operation: 'getMember',
    extras: ['title', 'leftDate'],
    /** With a `managerId` of null, the member is its own manager; with a `leftDate` of null, it comes back. */
    input: lazyStrictObject(() => ({
      ...inputFields('members'),
      managerId: recordId.nullable().optional(),
      leftDate: optionalInstant.optional(),
    })),
    toFields: ({ managerId, leftDate, ...rest }, { id }) => ({
      ...rest,
      managerId: managerId === null ? id : managerId,
      leftDate: leftDate ?? undefined,
    }),
    findLateDates: ({ leftDate }, _, { now, before }) =>
      leftDate !== undefined && leftDate > now && leftDate !== before?.leftDate
        ? [notLater('leftDate', now)]
        : [],
  }),
  customers: customerForm,
  signals: signalForm,
  meetings: meetingForm,
  notes: recordForm('notes', {
    operation: 'listCustomerNotes',
    input: lazyStrictObject(() => ({
      ...inputFields('notes'),
      category: recordInput(NoteCategory).optional(),
    })),
    toFields: ({ category, categoryId, ...rest }, { reject }) => {
      if (category !== undefined && categoryId !== undefined && category !== categoryId) {
        reject('categoryId', 'differs from category. Send only one of them.')
      }
      return { ...rest, categoryId: category ?? categoryId }
    },
    defaults: ({ createdDate, updatedDate }, now) => {
      if (createdDate === undefined) {
        return { createdDate: updatedDate ?? now, updatedDate: updatedDate ?? now }
      }
      return { updatedDate: createdDate > now ? createdDate : now }
    },
  }),
  automations: automationForm,
  triggerLogs: triggerLogForm,
  actionLogs: actionLogForm,
  briefs: recordForm('briefs', { operation: 'listBriefs', extras: ['isActive'] }),
  briefContents: recordForm('briefContents', {
    operation: 'listCustomerBriefContents',
    input: lazyStrictObject(() => ({
      ...inputFields('briefContents'),
      content: z.string().nullable().optional(),
    })),
    defaults: (_, now) => ({ createdDate: now }),
  }),
  products: recordForm('products', { operation: 'listProducts' }),
  productMetrics: recordForm('productMetrics', { operation: 'listProductMetrics', extras: ['productId'] }),
  customFields: recordForm('customFields', {
    operation: 'listCustomFields',
    defaults: ({ options = [] }): { type?: 'select' } => (options.length > 0 ? { type: 'select' } : {}),
    regenerate: ({ type }, patch) => (patch.type === undefined || patch.type === type ? [] : ['options']),
    adjust: (row, { options }) =>
      options === undefined && row.type !== 'select' ? { ...row, options: [] } : row,
  }),
  memberRoles: recordForm('memberRoles', { operation: 'listMemberRoles' }),
  noteCategories: recordForm('noteCategories', { operation: 'listNoteCategories', extras: ['isActive'] }),
}

export type InputOf = { readonly [T in TableName]: z.input<(typeof collections)[T]['input']> }

export type RecordOf = { readonly [T in TableName]: ReturnType<(typeof collections)[T]['toRecord']> }

export const forms: { readonly [T in TableName]: RecordForm<T> } = collections

/** Presents a row as the control plane shows it. */
export const presentRecord = <T extends TableName>(
  table: T,
  row: Row<T>,
  data: Data,
  { codec }: Pick<Contract, 'codec'>,
): JsonObject => ({ ...Object(codec(forms[table].shape).encode(forms[table].toRecord(row, data), row)) })
