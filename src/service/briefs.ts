import * as z from 'zod'

import { instant, pagination, recordId } from '../contract/fields.ts'
import { assumedShape } from '../contract/provenance.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { findCustomer } from './customers.ts'
import { endpoint, findOwn, resource } from './endpoint.ts'

/** The definition of a brief. Source: assumption A-21. */
export const Brief = assumedShape('Brief', 'A-21', () => ({
  id: recordId,
  key: z.string(),
  name: z.string(),
  description: z.string(),
}))
export type Brief = z.infer<typeof Brief>

/** A brief generated for a customer. Source: assumption A-22. */
export const BriefContent = assumedShape('BriefContent', 'A-22', () => ({
  id: recordId,
  briefId: recordId,
  customerId: recordId,
  content: z.string().describe('Markdown'),
  createdDate: instant,
}))
export type BriefContent = z.infer<typeof BriefContent>

const briefContent = resource({
  table: 'briefContents',
  shape: BriefContent,
  embeds: ['briefs', 'customers', 'members', 'products', 'signals', 'meetings', 'memberRoles'],
  derive: (row, data) => ({ content: row.content ?? data.texts.briefContent(row, data) }),
})

export const briefEndpoints = {
  listBriefs: endpoint({
    path: '/organizations/{organizationId}/briefs',
    summary: 'The active brief definitions',
    query: lazyObject(() => pagination),
    returns: 'page',
    assumes: 'A-01',
    resource: resource({ table: 'briefs', shape: Brief }),
    where: ({ path }) => [
      ['organizationId', path.organizationId],
      ['isActive', true, 'The list shows active records only'],
    ],
  }),
  listCustomerBriefContents: endpoint({
    path: '/organizations/{organizationId}/customers/{customerId}/briefs/{briefId}/contents',
    summary: 'The generated contents for the brief on the customer, most recent first',
    query: lazyObject(() => pagination),
    returns: 'page',
    assumes: 'A-01',
    resource: briefContent,
    find: (address) => findCustomer(address) && findOwn('briefs', address.path.briefId, address),
    where: ({ path }) => [
      ['customerId', path.customerId],
      ['briefId', path.briefId],
    ],
  }),
}
