import * as z from 'zod'

import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { defineTable, partOf, recordFields } from './define.ts'

/** Source: assumption A-23. */
export const customFieldTypes = ['text', 'number', 'boolean', 'date', 'select'] as const

/** Source: assumption A-26. */
export const metricTypes = ['number', 'percent', 'text', 'boolean'] as const

export const products = defineTable({
  noun: 'product',
  row: lazyStrictObject(() => ({ ...recordFields, key: z.string().min(1), name: z.string() })),
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
  unique: ['key'],
  hasIdsByOrganization: true,
  findContradictions: ({ type, options }) =>
    type !== 'select' && options.length > 0
      ? [{ path: 'options', message: `must be empty, because the type is ${type} and not select` }]
      : [],
})

export const memberRoles = defineTable({
  noun: 'member role',
  row: lazyStrictObject(() => ({ ...recordFields, key: z.string().min(1), name: z.string() })),
  unique: ['key'],
  hasIdsByOrganization: true,
})
