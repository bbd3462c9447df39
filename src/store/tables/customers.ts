import * as z from 'zod'

import { anyValue, date, instant, toSortable } from '../../contract/fields.ts'
import type { CustomerStatus } from '../../contract/statuses.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { defineTable, keyReference, recordFields, reference } from './define.ts'

/** The statuses of a customer's product. Source: assumption A-37. */
export const productStatuses = ['active', 'onboarding', 'churned'] as const

/** A customer's status, derived from its products. Source: assumption A-11. */
export function getCustomerStatus(customer: {
  readonly products: readonly { readonly status: (typeof productStatuses)[number] }[]
}): CustomerStatus {
  const statuses = customer.products.map((product) => product.status)
  if (statuses.includes('active')) return 'active'
  if (statuses.includes('onboarding')) return 'onboarding'
  return statuses.length > 0 ? 'churned' : 'prospect'
}

export const toAssignmentKey = (roleKey: string, memberId: number): string => `${memberId}/${roleKey}`

export const toSourceKey = (source: string, externalId: string): string =>
  JSON.stringify([source, externalId])

export const customers = defineTable({
  noun: 'customer',
  row: lazyStrictObject(() => ({
    ...recordFields,
    name: z.string(),
    city: z.string(),
    country: z.string(),
    region: z.string(),
    timezone: z.string(),
    domain: z.string(),
    employeeCount: z.int().nonnegative(),
    segment: z.string(),
    memberRoles: z.array(
      z.strictObject({ key: keyReference('memberRoles'), memberIds: z.array(reference('members')) }),
    ),
    customFields: z.array(z.strictObject({ key: keyReference('customFields').min(1), value: anyValue })),
    products: z.array(
      z.strictObject({
        key: keyReference('products'),
        status: z.enum(productStatuses),
        arr: z.number(),
        renewalDate: date,
        engagement: z.strictObject({ level: z.string() }),
        upsell: z.strictObject({ level: z.string() }),
        metrics: z.array(z.strictObject({ key: z.string().min(1), value: anyValue })),
      }),
    ),
    sources: z.array(z.strictObject({ key: z.string().min(1), externalId: z.string().min(1) })),
    updatedDate: instant,
  })),
  indexes: {
    status: getCustomerStatus,
    memberId: (row) => row.memberRoles.flatMap((role) => role.memberIds),
    assignment: (row) =>
      row.memberRoles.flatMap((role) =>
        role.memberIds.map((memberId) => toAssignmentKey(role.key, memberId)),
      ),
    source: (row) => row.sources.map((source) => toSourceKey(source.key, source.externalId)),
    updatedDate: (row) => toSortable(row.updatedDate),
  },
  hasIdsByOrganization: true,
})
