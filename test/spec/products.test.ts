import { expect, it } from 'vitest'

import type { Product, ProductMetric } from '../../src/index.ts'
import { as, openSandbox } from '../support.ts'

const products = [
  { id: 91, key: 'borealis', name: 'Borealis' },
  { id: 90, key: 'atlas', name: 'Atlas' },
]
const productMetrics = [
  { id: 71, productId: 90, key: 'seats', name: 'Seats', type: 'number' },
  { id: 70, productId: 90, key: 'usage', name: 'Usage', type: 'percent' },
  { id: 72, productId: 91, key: 'plan', name: 'Plan', type: 'text' },
  { id: 73, productId: 91, key: 'trial', name: 'Trial', type: 'boolean' },
]
const fixture = { extends: 'empty', products, productMetrics }

it('lists products with id, key and name (assumed A-25)', async () => {
  const mara = as(await openSandbox({ fixture }), 'mara')
  const listed = await mara.get<Product[]>('/organizations/harbor/products')
  expect(listed).toContainEqual({ id: 90, key: 'atlas', name: 'Atlas' })
  expect(listed.map((product) => Object.keys(product).join())).toContain('id,key,name')
})

it('lists the metrics of a product with id, key, name and type (assumed A-26)', async () => {
  const mara = as(await openSandbox({ fixture }), 'mara')
  const metrics = await mara.get<ProductMetric[]>('/organizations/harbor/products/90/metrics')
  expect(JSON.stringify(metrics)).toBe(
    JSON.stringify([
      { id: 70, key: 'usage', name: 'Usage', type: 'percent' },
      { id: 71, key: 'seats', name: 'Seats', type: 'number' },
    ]),
  )
})

it('knows the metric types number, percent, text and boolean (assumed A-26)', async () => {
  const mara = as(await openSandbox({ fixture }), 'mara')
  const metrics = await mara.get<ProductMetric[]>('/organizations/harbor/products/91/metrics')
  expect(metrics.map(({ type }) => type)).toEqual(['text', 'boolean'])
})

it('returns an empty array for a product without metrics (assumed A-02)', async () => {
  const mara = as(await openSandbox({ fixture: { ...fixture, productMetrics: [] } }), 'mara')
  expect(await mara.get('/organizations/harbor/products/90/metrics')).toEqual([])
})
