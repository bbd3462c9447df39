import { describe, expect, type TestAPI } from 'vitest'

import { createClient } from '../../src/client.ts'
import { createTest, test as it } from '../../src/vitest.ts'
import { as, home, tokens } from '../support.ts'

const harbor = { organizationId: 'harbor' }
const first = { ...harbor, customerId: 1 }
const note = { ...first, body: { categoryId: 1, content: 'Called them' } }

const test = createTest({ size: 'small' })

interface Shared {
  readonly sharedSandboxes: { get(options: object): Promise<unknown>; close(): Promise<void> }
}
/** With a fixture that is not published. */
const withShared = createTest() as unknown as TestAPI<Shared>

describe('a session for each test', () => {
  const totals: number[] = []

  test.for(['one', 'the next'])('shows %s test nothing of another', async (_, { client }) => {
    const before = await client.listCustomerNotes(first)
    await client.createCustomerNote(note)
    totals.push(before.totalCount, (await client.listCustomerNotes(first)).totalCount)
    const [total = 0] = totals
    expect(totals.slice(-2)).toEqual([total, total + 1])
  })

  test('has its own clock, faults and data', async ({ sandbox, client }) => {
    sandbox.clock.advance('P1D')
    sandbox.faults.add({ operationId: 'getCurrentMember', status: 503, times: 1 })
    await sandbox.data.customers.patch(1, { name: 'Tern & Co' })
    await expect(client.getCurrentMember()).rejects.toMatchObject({ status: 503 })
    expect(await client.getCustomer(first)).toMatchObject({ name: 'Tern & Co' })
  })

  test('is not affected by the test before', async ({ sandbox, client }) => {
    expect(sandbox.clock.now()).toBe('2026-01-15T12:00:00.000Z')
    expect(await client.getCurrentMember()).toMatchObject({ id: 1 })
    expect(sandbox.requests.list()).toHaveLength(1)
  })
})

describe('the dataset', () => {
  it('is the default one', async ({ client }) => {
    expect((await client.listCustomers(harbor)).totalCount).toBe(300)
  })

  test('is generated from the options of createTest', async ({ client }) => {
    expect((await client.listCustomers(harbor)).totalCount).toBe(25)
  })

  withShared('cannot be generated from invalid options, which are named', async ({ sharedSandboxes }) => {
    await expect(sharedSandboxes.get({ size: 0 })).rejects.toThrow(/^option size: must be small/)
    await expect(sharedSandboxes.close()).resolves.toBeUndefined()
  })

  describe('of a suite', () => {
    test.override({ sandboxOptions: { size: 3, fixture: 'empty' } })

    test('is generated from the options of the suite', async ({ client, credentials }) => {
      expect(credentials.organizations[0]?.id).toBe('harbor')
      expect((await client.listCustomers(harbor)).totalCount).toBe(0)
    })
  })
})

describe('the base URL', () => {
  test('serves the session of the test over HTTP', async ({ baseUrl, sandbox, client }) => {
    const overHttp = createClient({ baseUrl, token: tokens.mara })
    await overHttp.createCustomerNote(note)
    const { items } = await client.listCustomerNotes(first)
    expect(items.at(-1)).toMatchObject({ content: note.body.content })
    expect(sandbox).toHaveReceived({ operationId: 'createCustomerNote', count: 1 })
  })

  test('serves nothing but the service', async ({ baseUrl }) => {
    const { origin } = new URL(baseUrl)
    for (const path of ['/_sandbox/credentials', '/_sandbox/sessions', '/v1/members/me', '/']) {
      expect((await fetch(`${origin}${path}`)).status).toBe(404)
    }
  })
})

describe('matchers', () => {
  test('check which requests were received, how often, and in which order', async ({ sandbox, client }) => {
    await client.listCustomers({ ...harbor, scope: 'mine' })
    await client.createCustomerNote(note)
    expect(sandbox).toHaveReceived({ operationId: 'listCustomers', query: { scope: 'mine' } })
    expect(sandbox).toHaveReceived({ method: 'POST', body: { categoryId: 1 }, count: 1 })
    expect(sandbox).not.toHaveReceived({ operationId: 'getSignal' })
    expect(sandbox).not.toHaveReceived({ operationId: 'listCustomers', count: 2 })
    expect(sandbox).toHaveReceivedInOrder([
      { operationId: 'listCustomers' },
      { operationId: 'createCustomerNote' },
    ])
    expect(sandbox).not.toHaveReceivedInOrder([
      { operationId: 'createCustomerNote' },
      { operationId: 'listCustomers' },
    ])
  })

  test('show the nearest requests when they fail', async ({ sandbox, client }) => {
    await client.listCustomers({ ...harbor, scope: 'mine' })
    const wrong = { operationId: 'listCustomers', query: { scope: 'team' } } as const
    expect(() => expect(sandbox).toHaveReceived(wrong)).toThrow(
      /found 0 among 1 request[\s\S]*request 1, GET …\/customers\?scope=mine/,
    )
    const never = { operationId: 'listCustomers' } as const
    expect(() => expect(sandbox).not.toHaveReceived(never)).toThrow(
      /expected never, found 1 [\s\S]*request 1/,
    )
    expect(() => expect(sandbox).toHaveReceivedInOrder([wrong])).toThrow('Step 1 of the order')
  })

  test('refuse what they cannot compare, and what is missing', async ({ sandbox, client }) => {
    await client.createCustomerNote(note)
    const content: unknown = expect.any(String)
    const reason = 'must be a value that JSON can represent (got an asymmetric matcher)'
    const created = [{ created: 'notes', where: { content } }] as const
    expect(() => expect(sandbox).toHaveChanged(created)).toThrow(`[0].where.content: ${reason}`)
    expect(sandbox).not.toHaveChanged([{ created: 'notes', where: { content: undefined } }])
    expect(() => expect(sandbox).toHaveReceived({ body: { content } })).toThrow(`body.content: ${reason}`)
    // @ts-expect-error -- code without types can leave it out
    expect(() => expect(sandbox).toHaveReceivedInOrder()).toThrow('inOrder: must have at least 1 element')
  })

  test('check that a scenario has acted', async ({ sandbox, client }) => {
    sandbox.scenarios.add({ name: 'page-drift' })
    expect(sandbox).not.toHaveActed('page-drift')
    expect(() => expect(sandbox).toHaveActed('page-drift')).toThrow(
      /page-drift: expected to act at least once, acted 0 times[\s\S]*scenario-1 page-drift on listCustomers: matched 0 times[\s\S]*No requests/,
    )
    await client.listCustomers({ ...harbor, limit: 10 })
    expect(sandbox).toHaveActed('page-drift')
    await client.listCustomers({ ...harbor, offset: 10, limit: 10 })
    expect(sandbox).toHaveActed('page-drift', 2)
    expect(sandbox).not.toHaveActed('page-drift', 1)
    expect(() => expect(sandbox).toHaveActed('page-drift', 1)).toThrow(
      'expected to act 1 time, acted 2 times',
    )
    expect(() => expect(sandbox).not.toHaveActed('page-drift')).toThrow(
      /expected not to act at least once, acted 2 times[\s\S]*request 1, GET …\/customers\?limit=10 -> 200 \(page-drift: deleted customer 1\)/,
    )
    expect(() => expect(sandbox).toHaveActed('deleted')).toThrow('deleted: expected to act at least once')
    // @ts-expect-error -- a typo does not compile
    expect(() => expect(sandbox).not.toHaveActed('page-drit')).toThrow('did you mean page-drift?')
  })

  test('check that these records have changed, and nothing else', async ({ sandbox, client }) => {
    await sandbox.data.customers.patch(2, { segment: 'Startup' })
    expect(sandbox).toHaveChanged([], { by: 'service' })
    await client.createCustomerNote(note)
    const created = { created: 'notes', where: { customerId: 1, category: { id: 1 } } } as const
    expect(sandbox).toHaveChanged([created], { by: 'service' })
    expect(sandbox).toHaveChanged([{ updated: 'customers', fields: ['segment'] }, created])
    expect(sandbox).toHaveChanged([], { since: 1 })
    expect(sandbox).not.toHaveChanged([created])
    await client.createCustomerNote(note)
    expect(sandbox).toHaveChanged([{ ...created, count: 2 }], { by: 'service' })
    expect(sandbox).toHaveChanged([{ created: 'notes' }, created], { by: 'service' })
    expect(sandbox).toHaveChanged([created, { created: 'notes' }], { by: 'service' })
    await client.createCustomerNote({ ...note, customerId: 2 })
    // Both of the first two can stand for the one in general, but the third only for that one.
    expect(sandbox).toHaveChanged([{ created: 'notes' }, { ...created, count: 2 }], { by: 'service' })
    await sandbox.data.signals.delete(1)
    expect(sandbox).toHaveChanged([{ deleted: 'signals', where: { id: 1 } }], { since: 3 })
  })

  test('show what changed instead, before and after', async ({ sandbox, client }) => {
    const { segment } = await sandbox.data.customers.get(2)
    await sandbox.data.customers.patch(2, { segment: 'Startup' })
    const { id } = await client.createCustomerNote(note)
    expect(() => expect(sandbox).toHaveChanged([{ created: 'notes', where: { customerId: 7 } }])).toThrow(
      [
        'Expected these changes and no others.',
        'Expected:',
        '  notes created with customerId 7: expected 1, found 0',
        `    notes ${id} differs: customerId is 1, not 7`,
        'Other changes:',
        '  customers 2 updated by control',
        `    segment: "${segment}" → "Startup"`,
      ].join('\n'),
    )
    expect(() => expect(sandbox).toHaveChanged([], { by: 'service' })).toThrow(
      /no others by service\.\nExpected: none\.\nOther changes:\n  notes \d+ created by service at request 1\n {4}customerId: 1/,
    )
    expect(() => expect(sandbox).toHaveChanged([{ updated: 'customers', fields: ['city'] }])).toThrow(
      'customers 2 differs: segment changed as well',
    )
    expect(() =>
      expect(sandbox).not.toHaveChanged([{ created: 'notes' }], { since: 0, by: 'service' }),
    ).toThrow(/^Expected other changes than these by service\.[\s\S]*Changes:\n  notes \d+/)
  })

  test('judge the copy of a client, and name each cause', async ({ sandbox, client }) => {
    const { items } = await client.listCustomers({ ...harbor, limit: 250 })
    await expect(sandbox).toHaveSynced({ customers: items })
    await expect(sandbox).toHaveSynced()
    const customers = items.slice(1)
    await expect(sandbox).not.toHaveSynced({ customers })
    await expect(sandbox).toHaveSynced({ customers }, { as: 1, allow: ['delivered_not_stored'] })
    const rows = items.map(({ id, name }) => ({ key: id, name }))
    await expect(sandbox).toHaveSynced({ customers: rows }, { row: ({ key, name }) => ({ id: key, name }) })
    await expect(expect(sandbox).toHaveSynced({ customers })).rejects.toThrow(
      'delivered_not_stored: Customer 1 is missing: request 1, GET …/customers?limit=250, has delivered it.',
    )
  })

  test('report warnings', async ({ sandbox, client }) => {
    await client.getCurrentMember()
    expect(sandbox).toHaveNoWarnings()
    await sandbox.fetch(
      new Request('http://sandbox/v1/members/me?verbose=1', {
        headers: { authorization: `Bearer ${tokens.mara}` },
      }),
    )
    expect(() => expect(sandbox).toHaveNoWarnings()).toThrow('unknown_parameter')
    expect(sandbox).not.toHaveNoWarnings()
    expect(sandbox).toHaveNoWarnings({ ignore: ['unknown_parameter'] })
    expect(() => expect(sandbox).not.toHaveNoWarnings({ ignore: ['unknown_parameter'] })).toThrow(
      'Expected a warning other than unknown_parameter, but there was none.',
    )
    // @ts-expect-error -- a typo does not compile
    expect(() => expect(sandbox).not.toHaveNoWarnings({ ignore: ['unknown_parameters'] })).toThrow(
      'did you mean unknown_parameter?',
    )
  })
})

describe('the assumptions of a suite', () => {
  test.override({ sandboxAssumptions: { envelopes: 'all' } })

  test('apply to its sessions', async ({ sandbox }) => {
    const products = await as(sandbox, 'mara').get(`${home}/products`)
    expect(products).toEqual({ items: expect.any(Array), totalCount: expect.any(Number) })
  })
})

describe('the end of a test', () => {
  const addresses: string[] = []

  test('is reached', async ({ baseUrl }) => {
    addresses.push(baseUrl)
    expect((await fetch(`${baseUrl}/members/me`)).status).toBe(401)
  })

  test('closes its session', async ({ baseUrl }) => {
    const [gone = ''] = addresses
    expect(new URL(gone).origin).toBe(new URL(baseUrl).origin)
    expect((await fetch(`${gone}/members/me`)).status).toBe(404)
  })
})
