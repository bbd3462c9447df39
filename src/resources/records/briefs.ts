import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { BriefContentRow, BriefRow } from '../../store/rows.ts'
import { Brief, BriefContent } from '../briefs.ts'
import { known, recordForm } from './form.ts'
import { instantInput, owned } from './input.ts'

/** A brief definition, and whether it is listed. */
export const briefForm = recordForm({
  table: 'briefs',
  row: BriefRow,
  operation: 'listBriefs',
  shape: Brief,
  extras: ({ organizationId, isActive }) => ({ organizationId, isActive }),
  input: z
    .strictObject({
      ...owned,
      key: z.string(),
      name: z.string(),
      description: z.string(),
      isActive: z.boolean(),
    })
    .partial(),
  identity: ['key'],
  fields: (given) => known(given),
})

/** A brief as it was generated for a customer. */
export const briefContentForm = recordForm({
  table: 'briefContents',
  row: BriefContentRow,
  operation: 'listCustomerBriefContents',
  shape: BriefContent,
  extras: ({ organizationId }) => ({ organizationId }),
  input: z
    .strictObject({
      ...owned,
      customerId: recordId,
      briefId: recordId,
      /** Markdown; null for one that is drawn on reading. */
      content: z.string().nullable(),
      createdDate: instantInput,
    })
    .partial(),
  owner: { field: 'customerId', table: 'customers' },
  identity: ['customerId', 'briefId'],
  fields: ({ content, ...rest }) => known({ ...rest, content: content ?? undefined }),
  stamps: (_, now) => ({ createdDate: now }),
  drawn: { field: 'content', draw: (row, data) => data.texts.briefContent(row, data) },
})
