import { expect, it } from 'vitest'

import { createSandbox, type Sandbox } from '../../src/index.ts'
import { type LearnedProduct, openShaped, product } from '../shapes.ts'
import { as, control, expectInvalid, expectProblem } from '../support.ts'

const home = '/organizations/harbor'
const put = (sandbox: Sandbox, path: string, body: object, method = 'PUT') =>
  control(sandbox, method, `/data${path}`, body)

it('arranged records have the shape, and keep every value that is given', async () => {
  const sandbox = await openShaped({ product })
  const owner = { email: 'a@b.co', code: 'atl' }
  const given = { title: 'Atlas', tier: 'gold', launchedOn: '2020-02-29', owner }
  const answer = await put(sandbox, '/products/77', given)
  expect(await answer.json()).toEqual({ id: 77, ...given, organizationId: 'harbor' })
  await put(sandbox, '/products/77', { tier: 'silver' }, 'PATCH')
  await put(sandbox, '/products/77', { title: 'Atlas 2' }, 'PATCH')
  const products = await as(sandbox, 'mara').get<LearnedProduct[]>(`${home}/products`)
  expect(products.find(({ id }) => id === 77)).toEqual({ id: 77, ...given, title: 'Atlas 2', tier: 'silver' })
  expect(await sandbox.data.products.get(77)).toMatchObject({ title: 'Atlas 2', tier: 'silver' })
})

it('a record that is arranged again as it was read does not change', async () => {
  const sandbox = await openShaped({ product })
  const read = async () => (await sandbox.fetch('/_sandbox/data/products/1')).json()
  const before = await read()
  await put(sandbox, '/products/1', before)
  expect(await read()).toEqual(before)
  expect(sandbox.dataset.rows.products[0]).not.toHaveProperty('learned')
})

it('an arranged record that does not fit the shape is rejected by the names of the shape', async () => {
  const sandbox = await openShaped({ product })
  const wrong = { title: 5, tier: 'bronze', owner: { email: 'x' } }
  const places = ['body title', 'body tier', 'body owner.email', 'body owner.code']
  await expectInvalid(await put(sandbox, '/products/77', wrong), ...places)
  const named = await expectProblem(await put(sandbox, '/products/77', { name: 'Atlas' }), 'invalid_request')
  expect(named.detail).toContain(
    'name: is not known. Known are id, title, tier, launchedOn, owner, organizationId',
  )
  await expectInvalid(await put(sandbox, '/products/77', { learned: { tier: 'gold' } }), 'body learned')
  const { data } = await createSandbox({ size: 'small' })
  await expect(data.products.put(JSON.parse('{ "id": 77, "learned": {} }'))).rejects.toThrow(
    'learned: is not known',
  )
})

it('arranged values stay over a change of the shape', async () => {
  const sandbox = await openShaped({ product })
  await put(sandbox, '/products/77', { title: 'Atlas', tier: 'gold' })
  const state = await sandbox.saveState()
  const restored = await openShaped({ product }, { state })
  expect(await restored.data.products.get(77)).toMatchObject({ title: 'Atlas', tier: 'gold' })
  const tiers = { ...product.properties, tier: { enum: ['A', 'B'] } }
  const other = await openShaped({ product: { ...product, properties: tiers } }, { state })
  expect(['A', 'B']).toContain(Object(await other.data.products.get(77)).tier)
  expect(await (await createSandbox({ state })).data.products.get(77)).toMatchObject({ name: 'Atlas' })
})

const contact = {
  properties: {
    id: { type: 'integer' },
    fullName: { type: 'string', 'x-from': 'firstName' },
    phone: { type: 'string' },
  },
  required: ['id', 'fullName'],
}

it('parts of a record are arranged by the fields that have a source', async () => {
  const sandbox = await openShaped({ meetingContact: contact })
  const { items } = await sandbox.data.meetings.list()
  const meeting = items.find(({ contacts }) => contacts.length > 0)
  const [first] = JSON.parse(JSON.stringify(meeting?.contacts))
  const path = `/meetings/${meeting?.id}`
  const answer = await put(sandbox, path, { contacts: [{ ...first, fullName: 'Mia Lind' }] }, 'PATCH')
  expect(Object(await answer.json()).contacts).toEqual([{ ...first, fullName: 'Mia Lind' }])
  const renamed = { contacts: [{ ...first, phone: '1' }] }
  await expectInvalid(await put(sandbox, path, renamed, 'PATCH'), 'body contacts[0].phone')
})

it('records are counted by the fields of a shape', async () => {
  const shaped = await openShaped({ product })
  const count = async (by: string) => (await shaped.fetch(`/_sandbox/data/products/counts?by=${by}`)).json()
  const { items } = await count('tier')
  expect(items).toHaveLength(2)
  expect(items).toContainEqual({ value: 'gold', label: 'gold', count: expect.any(Number) })
  expect(await count('name')).toMatchObject({ status: 400, detail: expect.stringContaining('title') })
})
