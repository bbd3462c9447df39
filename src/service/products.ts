import * as z from 'zod'

import { recordId } from '../contract/fields.ts'
import { assumedShape } from '../contract/provenance.ts'
import { metricTypes } from '../store/tables/definitions.ts'
import { endpoint, findInPath, resource } from './endpoint.ts'

/** A product of the organization. Source: assumption A-25. */
export const Product = assumedShape('Product', 'A-25', () => ({
  id: recordId,
  key: z.string().describe("The key of the product in Customer.products, and a signal's productKey"),
  name: z.string(),
}))
export type Product = z.infer<typeof Product>

/** The definition of a metric of a product. Source: assumption A-26. */
export const ProductMetric = assumedShape('ProductMetric', 'A-26', () => ({
  id: recordId,
  key: z.string().describe("The key of the metric in a customer product's metrics"),
  name: z.string(),
  type: z.enum(metricTypes),
}))
export type ProductMetric = z.infer<typeof ProductMetric>

const product = resource({ table: 'products', shape: Product })

const productMetric = resource({ table: 'productMetrics', shape: ProductMetric })

export const productEndpoints = {
  listProducts: endpoint({
    path: '/organizations/{organizationId}/products',
    summary: 'The products of the organization',
    returns: 'list',
    assumes: 'A-02',
    resource: product,
    where: ({ path }) => [['organizationId', path.organizationId]],
  }),
  listProductMetrics: endpoint({
    path: '/organizations/{organizationId}/products/{productId}/metrics',
    summary: 'The metrics of a product',
    returns: 'list',
    assumes: 'A-02',
    resource: productMetric,
    find: (address) => findInPath('products', address.path.productId, address),
    where: ({ record }) => [['productId', record.id]],
  }),
}
