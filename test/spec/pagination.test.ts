import { expect, it } from 'vitest'

import { as, customers, expectProblem, home, openSandbox, type Page, words } from '../support.ts'
import { openCustomers, openWith, readIds } from './support.ts'

it('returns 100 records without a limit, and up to 250', async () => {
  const mara = await openCustomers({ id: 1, repeat: 300 })
  expect(await mara.get(customers)).toMatchObject({ totalCount: 300 })
  expect(await readIds(mara, 'customers')).toHaveLength(100)
  expect(await readIds(mara, 'customers?limit=250')).toHaveLength(250)
})

it('starts at the first record without an offset, and skips as many as it says', async () => {
  const mara = await openCustomers({ id: 1, repeat: 3 })
  expect(await readIds(mara, 'customers?limit=2')).toEqual([1, 2])
  expect(await readIds(mara, 'customers?offset=1')).toEqual([2, 3])
})

it('counts the matches before pagination in totalCount', async () => {
  const mara = await openCustomers({ id: 1, city: 'Oslo' }, { id: 2, city: 'Oslo' }, { id: 3, city: 'Lima' })
  const page = await mara.get(`${customers}?city=Oslo&limit=1`)
  expect(page).toMatchObject({ items: [{ id: 1 }], totalCount: 2 })
})

it('returns the same envelope for paginated lists whose form the document does not show (assumed A-01)', async () => {
  const mara = as(await openSandbox(), 'mara')
  for (const path of ['briefs', 'customers/1/briefs/1/contents', 'customers/1/notes']) {
    const page = await mara.get<Page<object>>(`${home}/${path}?limit=1`)
    expect(Object.keys(page)).toEqual(['items', 'totalCount'])
  }
})

it('returns an array for a list without pagination, whatever limit says (assumed A-02, A-15)', async () => {
  const mara = as(await openSandbox(), 'mara')
  for (const list of words('members automations custom-fields member-roles note-categories products')) {
    const response = await mara.send(`${home}/${list}?limit=1`)
    expect(response.headers.get('sandbox-warning')).toBe('unknown query parameters ignored: limit')
    const body: unknown = await response.json()
    expect(body).toBeInstanceOf(Array)
    expect(body).toEqual(await mara.get(`${home}/${list}`))
  }
})

it('orders records by id (assumed A-03)', async () => {
  expect(await readIds(await openCustomers({ id: 30 }, { id: 4 }, { id: 200 }), 'customers')).toEqual([
    4, 30, 200,
  ])
})

it('lists logs and brief contents newest first, those of one moment by the higher id first (assumed A-03, A-42)', async () => {
  const dates = ['2026-01-05T08:00:00.000Z', '2026-01-07T08:00:00.000Z', '2026-01-06T08:00:00.000Z']
  const times = [...dates, dates[1]].map((createdDate, index) => ({ id: 5 + index, createdDate }))
  const parts = { deactivatedDate: null, parentId: null, triggers: [{ id: 901 }], actions: [{ id: 902 }] }
  const log = { automationId: 90, status: 'info', message: 'Sent.' }
  const mara = await openWith({
    customers: [{ id: 1 }],
    automations: [{ ...parts, id: 90, name: 'Renewal watch' }],
    triggerLogs: times.map((time) => ({ ...log, ...time, triggerId: 901 })),
    actionLogs: times.map((time) => ({ ...log, ...time, actionId: 902 })),
    briefContents: times.map((time) => ({ ...time, customerId: 1, briefId: 1, content: '# Acme' })),
  })
  for (const list of [
    'automations/90/triggers/901/logs',
    'automations/90/actions/902/logs',
    'customers/1/briefs/1/contents',
  ]) {
    expect(await readIds(mara, list)).toEqual([8, 6, 7, 5])
    expect(await readIds(mara, `${list}?limit=1`)).toEqual([8])
  }
})

it('reports a number as too large, however many digits it has (assumed A-06)', async () => {
  const mara = await openCustomers()
  for (const limit of ['251', '9007199254740993', '9'.repeat(400)]) {
    const { errors } = await expectProblem(await mara.send(`${customers}?limit=${limit}`), 'invalid_request')
    expect(errors).toEqual([{ in: 'query', name: 'limit', message: 'must be at most 250' }])
  }
})
