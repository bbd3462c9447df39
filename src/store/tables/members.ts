import * as z from 'zod'

import { instant } from '../../contract/fields.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { defineTable, recordFields, reference } from './define.ts'

export const OrganizationRow = lazyStrictObject(() => ({ id: z.string().min(1), name: z.string() }))
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
