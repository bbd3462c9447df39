import * as z from 'zod'

import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { byOrganization, defineTable, partOf, recordFields } from './define.ts'

/** Source: assumption A-23. */
export const customFieldTypes = ['text', 'number', 'boolean', 'date', 'select'] as const

/** Source: assumption A-26. */
export const metricTypes = ['number', 'percent', 'text', 'boolean'] as const

const byKey = (row: { readonly key: string }): string => row.key

export const products = defineTable({
  noun: 'product',
  row: lazyStrictObject(() => ({ ...recordFields, key: z.string().min(1), name: z.string() })),
  order: 'by id',
  indexes: { organizationId: byOrganization, key: byKey },
  unique: ['key'],
  hasIdsByOrganization: true,
})

export const productMetrics = defineTable({
  noun: 'product metric',
  row: lazyStrictObject(() => ({
    ...recordFields,
    productId: partOf('products'),
    key: z.string().min(1),
    name: z.string(),
    type: z.enum(metricTypes),
  })),
  order: 'by id',
  indexes: { productId: (row) => row.productId, key: byKey },
  unique: ['productId', 'key'],
})

export const customFields = defineTable({
  noun: 'custom field',
  row: lazyStrictObject(() => ({
    ...recordFields,
    key: z.string().min(1),
    name: z.string(),
    type: z.enum(customFieldTypes),
    options: z.array(z.string()),
  })),
  order: 'by id',
  indexes: { organizationId: byOrganization, key: byKey },
  unique: ['key'],
  hasIdsByOrganization: true,
})

export const memberRoles = defineTable({
  noun: 'member role',
  row: lazyStrictObject(() => ({ ...recordFields, key: z.string().min(1), name: z.string() })),
  order: 'by id',
  indexes: { organizationId: byOrganization, key: byKey },
  unique: ['key'],
  hasIdsByOrganization: true,
})
