import { expect, it } from 'vitest'

import { expectProblem, openSandbox, readCpuTime } from '../support.ts'
import { expectRejected, expectWrong, openRecords } from './data-support.ts'

const sandbox = await openSandbox()
const open = () => openRecords(sandbox)

it('rejects every wrong field by its path', async () => {
  const { data } = open()
  const wrong = { products: [{ key: 'alerts', status: 'gone' }], employeeCount: -1 } as never
  await expectWrong(data.customers.put(wrong), 'employeeCount', 'products[0].status')
  await expectWrong(data.customers.put({ updatedDate: '2026-02-30T00:00Z' }), 'updatedDate')
  await expectWrong(
    data.customers.put({ products: [{ key: 'alerts', renewalDate: '2026-02-30' }] }),
    'products[0].renewalDate',
  )
  await expectWrong(data.signals.put({ status: 'done' as never }), 'status')
  await expectWrong(
    data.customers.patch(1, { name: null, customFields: [{ key: 'tier' } as never] }),
    'name',
    'customFields[0].value',
  )
  await expectWrong(data.customers.put({ memberRoles: [{ key: 'csm' }] }), 'memberRoles[0].members')
  expect(await data.changes()).toEqual([])
})

it.each([
  ['9007199254740993', 'customFields[0].value'],
  ['1e400', 'customFields[0].value'],
  ['{"a":["\\"}",{"b":1},[0,-1.00000000000000001]]}', 'customFields[0].value.a[2][1]'],
  ['1e-400', 'customFields[0].value'],
])('refuses a number that would change, by its name: %s', async (number, name) => {
  const session = sandbox.session()
  const body = `{"id":1,"name":"[1,","customFields":[{"key":"tier","value":${number}}]}`
  for (const method of ['PUT', 'PATCH']) {
    const response = await session.fetch('/_sandbox/data/customers/1', { method, body })
    const { errors } = await expectProblem(response, 'invalid_request')
    expect(errors).toMatchObject([{ in: 'body', name, message: expect.stringContaining('exact') }])
  }
  expect(await session.data.changes()).toEqual([])
})

it('refuses a text that UTF-8 cannot encode, by its name, whoever writes it', async () => {
  const { data } = open()
  const text = 'Tern \ud83d'
  await expectWrong(data.customers.put({ name: text }), 'name')
  await expectWrong(
    data.customers.patch(1, { customFields: [{ key: 'tier', value: { a: [text] } }] }),
    'customFields[0].value.a[0]',
  )
  await expectWrong(data.create({ notes: [{ content: text }] }), 'notes[0].content')
  const body = JSON.stringify({ content: text })
  const response = await sandbox.session().fetch('/_sandbox/data/notes/1', { method: 'PATCH', body })
  expect(await expectProblem(response, 'invalid_request')).toMatchObject({ errors: [{ name: 'content' }] })
  const fixture = { extends: 'empty', customers: [{ id: 1, name: text }] } as const
  await expect(openSandbox({ fixture })).rejects.toThrow(/customers\[0\]\.name must be well-formed/)
  expect(await data.changes()).toEqual([])
})

it('keeps every number that does not change', async () => {
  const session = sandbox.session()
  const numbers =
    '[9007199254740992,-0.1,1E5,0.30000000000000004,1.50,1e23,0.000,5e-324,12345678901234567000]'
  const body = `{"customFields":[{"key":"tier","value":${numbers}}]}`
  expect((await session.fetch('/_sandbox/data/customers/1', { method: 'PATCH', body })).status).toBe(200)
  expect((await session.data.customers.get(1)).customFields[0]?.value).toEqual(JSON.parse(numbers))
})

it.each<[unknown, string, string]>([
  [Number.NaN, '', 'NaN'],
  [{ tags: new Set(['a']) }, '.tags', 'Set'],
  [[undefined], '[0]', 'undefined'],
  [() => 1, '', 'function'],
])('refuses %s in process, which JSON would change or drop', async (value, place, found) => {
  const { data } = open()
  const customFields = [{ key: 'tier', value }]
  const wrong = `customFields[0].value${place}: must be a value that JSON can represent (got ${found})`
  await expectWrong(data.customers.patch(1, { customFields }), wrong)
  await expectWrong(data.customers.create([{}, { customFields }]), `[1].${wrong}`)
  const fixture = { customers: [{ id: 1, customFields }] }
  await expect(openSandbox({ fixture })).rejects.toThrow(`fixture.customers[0].${wrong}`)
  expect(await data.changes()).toEqual([])
})

it('says that records are created as a list', async () => {
  const { data } = open()
  const wrong = ': must be a list of records, like [{ id: 901 }]'
  await expectWrong(data.customers.create({ name: 'Tern' } as never), wrong)
  await expectWrong(data.create({ notes: { customerId: 1 } } as never), `notes${wrong}`)
})

it('rejects references to missing records at the place where they were given', async () => {
  const { data } = open()
  const roles = [
    { key: 'csm', members: [1, { id: 99 }] },
    { key: 'cms', memberIds: [501] },
  ]
  await expectWrong(
    data.customers.put({ memberRoles: roles }),
    'memberRoles[1].key: cms matches no member role. Add the member role or change the key.',
    'memberRoles[0].members[1].id: 99 matches no member. Add the member or change the id.',
    'memberRoles[1].memberIds[0]: 501 is a member of organization quill, not of harbor. ' +
      'Choose a member of the same organization or change the id.',
  )
  await expectWrong(data.signals.put({ customerId: 99 }), 'customerId')
  await expectWrong(data.signals.put({ productKey: 'alert' }), 'productKey')
  await expectWrong(data.signals.put({ productKey: 'alerts', productId: 1 }), 'productKey')
  await expectWrong(data.notes.put({ category: { id: 99 } }), 'category.id')
  const both = 'categoryId: differs from category. Send only one of them.'
  await expectWrong(data.notes.put({ category: 1, categoryId: 2 }), both)
  await expectWrong(data.meetings.put({ members: [98, { id: 99 }] }), 'members[0]', 'members[1].id')
  await expectWrong(data.triggerLogs.put({ automationId: 1, triggerId: 99 }), 'triggerId')
})

it('puts a record into the organization of its owner, and rejects any other', async () => {
  const { data } = open()
  expect(await data.notes.put({ customerId: 1000001 })).toMatchObject({ organizationId: 'quill' })
  expect(await data.notes.put({}, { organizationId: 'quill' })).toMatchObject({ customerId: 1000001 })
  await expectWrong(data.notes.put({ customerId: 1 }, { organizationId: 'quill' }), 'organizationId')
  await expectWrong(data.customers.put({ id: 1, organizationId: 'quill' }), 'organizationId')
  await expectWrong(data.customers.put({ organizationId: 'habor' }), 'organizationId')
  await expectRejected(data.customers.get(99), 'not_found')
  await expectRejected(data.customers.patch(99, {}), 'not_found')
})

it('lists the first hundred wrong fields and the number of the others', async () => {
  const { data } = open()
  const wrong = Array.from({ length: 85 }, () => ({ content: 1, createdById: '1' })) as never
  const { errors, message } = await expectRejected(data.notes.create(wrong), 'invalid_request')
  expect(errors?.map(({ name }) => name)).toEqual(
    Array.from({ length: 50 }, (_, index) => [`[${index}].content`, `[${index}].createdById`]).flat(),
  )
  expect(message).toMatch(/; and 70 more$/)
})

it('rejects very many wrong records in linear time', async () => {
  const { data } = open()
  const refusing = async (count: number): Promise<number> => {
    const wrong = Array.from({ length: count }, () => ({ a: 1 })) as never
    const start = readCpuTime()
    await expectRejected(data.notes.create(wrong), 'invalid_request')
    return readCpuTime() - start
  }
  await refusing(200)
  const few = Math.min(await refusing(200), await refusing(200), await refusing(200))
  // Sixteen times as many would take 256 times as long if each were compared with all before it.
  expect((await refusing(3_200)) / few).toBeLessThan(64)
})

it('holds no record longer than 1 MiB, whoever writes it', async () => {
  const { data } = open()
  const name = 'x'.repeat(1_048_576)
  await expectWrong(data.customers.put({ name }), '')
  await expectWrong(data.customers.create([{}, { name }]), '[1]')
  const half = { name: 'x'.repeat(600_000), city: 'x'.repeat(400_000) }
  await data.customers.patch(1, half)
  await expectWrong(data.customers.patch(1, { domain: half.city }), '')
  const state = await sandbox.session().saveState()
  const row = { ...sandbox.dataset.rows.customers[0], name }
  const saved = { ...state, changes: [{ table: 'customers', id: 1, row }] }
  await expectWrong(sandbox.session().restoreState(saved), 'changes[0].row')
  const customers = [{ id: 1, name }]
  await expectWrong(openSandbox({ fixture: { customers } }), 'fixture.customers[0]')
  const timeline = [{ at: 'now+1d', customers }]
  await expectWrong(openSandbox({ fixture: { timeline } }), 'fixture.timeline[0].customers[0]')
})

it('creates at most 10,000 records by one call, so that others do not wait for long', async () => {
  const { data } = open()
  const wrong = ': must hold at most 10000 records, not 10001; create the rest by another call'
  await expectWrong(data.members.create(Array.from({ length: 10_001 }, () => ({}))), wrong)
  expect(await data.changes()).toEqual([])
})
