import * as z from 'zod'

import { instant } from '../../contract/fields.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { defineTable, recordFields, reference } from './define.ts'

/** The id of an organization, which tokens and paths contain as it is. Source: RFC 6750, section 2.1; RFC 3986, section 2.3. */
export const OrganizationId = z
  .string()
  .regex(
    /^[\w-][\w.-]*$/,
    'must have only letters, digits, dots, dashes and underscores, and no dot first, since tokens and paths contain it',
  )

export const OrganizationRow = lazyStrictObject(() => ({ id: OrganizationId, name: z.string() }))
export type OrganizationRow = z.infer<typeof OrganizationRow>

export const members = defineTable({
  noun: 'member',
  row: lazyStrictObject(() => ({
    ...recordFields,
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    /** The job title; listed with the credentials, not part of the service. */
    title: z.string(),
    managerId: reference('members'),
    /** The time when the member left. Records go on naming the member, who is in no list and has no token any more. */
    leftDate: instant.optional(),
  })),
  indexes: {
    organizationId: (row) => (row.leftDate === undefined ? row.organizationId : []),
    managerId: (row) => (row.leftDate === undefined ? row.managerId : []),
  },
  hasIdsByOrganization: true,
})
