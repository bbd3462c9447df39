import { expect, it } from 'vitest'

import { control, expectInvalid, openSandbox, readControl } from '../support.ts'

interface Found {
  readonly items: readonly { readonly collection: string; readonly id: number; readonly name: string }[]
  readonly totalCount: number
}

const sandbox = await openSandbox()

const find = (query: string, session?: string) =>
  readControl<Found>(sandbox, 'GET', `/find?${query}`, undefined, session)

it('finds records by their id first, then by a part of their name', async () => {
  const { id } = await sandbox.session().data.customers.put({ id: 700, name: 'Area 1 Foods' })
  expect(id).toBe(700)
  const { items } = await find('q=1&limit=50')
  expect(items.slice(0, 3)).toMatchObject([
    { collection: 'members', id: 1, name: 'Mara Ellis' },
    { collection: 'customers', id: 1, name: 'Larkspur Foods' },
    { collection: 'signals', id: 1 },
  ])
  const byName = await find('q=LARKSPUR')
  expect(byName.items[0]).toMatchObject({ collection: 'customers', id: 1, name: 'Larkspur Foods' })
  expect(await find('q=no such name')).toEqual({ items: [], totalCount: 0 })
})

it('finds what the session has changed, under its new name only, and nothing that it has deleted', async () => {
  const session = sandbox.session()
  await session.data.customers.patch(1, { name: 'Tern & Sons' })
  expect((await find('q=tern %26 sons', session.id)).items).toMatchObject([
    { collection: 'customers', id: 1 },
  ])
  expect((await find('q=Larkspur Foods', session.id)).items).toEqual([])
  await session.data.customers.delete(1)
  expect((await find('q=tern %26 sons', session.id)).items).toEqual([])
})

it('the latest changes are narrowed by their kind before they are cut', async () => {
  const session = sandbox.session()
  await session.data.customers.delete(2)
  for (const id of [3, 4, 5]) await session.data.customers.patch(id, { city: 'Bergen' })
  const path = '/data/changes?latest=1&kind=deleted'
  const found = await readControl(sandbox, 'GET', path, undefined, session.id)
  expect(found).toMatchObject({ items: [{ kind: 'deleted' }] })
})

it('needs a text', async () => {
  await expectInvalid(await control(sandbox, 'GET', '/find'), 'query q')
})
