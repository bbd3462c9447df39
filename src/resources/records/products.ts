import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { metricTypes, ProductMetricRow, ProductRow } from '../../store/rows.ts'
import { Product, ProductMetric } from '../products.ts'
import { known, recordForm } from './form.ts'
import { owned } from './input.ts'

/** A product. */
export const productForm = recordForm({
  table: 'products',
  row: ProductRow,
  operation: 'listProducts',
  shape: Product,
  extras: ({ organizationId }) => ({ organizationId }),
  input: z.strictObject({ ...owned, key: z.string().min(1), name: z.string() }).partial(),
  identity: ['key'],
  fields: (given) => known(given),
})

/** A metric, and the product that it measures. */
export const productMetricForm = recordForm({
  table: 'productMetrics',
  row: ProductMetricRow,
  operation: 'listProductMetrics',
  shape: ProductMetric,
  extras: ({ organizationId, productId }) => ({ organizationId, productId }),
  input: z
    .strictObject({
      ...owned,
      productId: recordId,
      key: z.string().min(1),
      name: z.string(),
      type: z.enum(metricTypes),
    })
    .partial(),
  owner: { field: 'productId', table: 'products' },
  identity: ['productId', 'key'],
  fields: (given) => known(given),
})
