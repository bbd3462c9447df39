import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import { fixture, type Opened, serve } from '../sandbox/control-support.ts'
import { as, control, customers, notes, overHttp, type Page, readControl } from '../support.ts'
import { digest } from './calls.ts'
import { chooseAmount } from './figures.ts'

it('isolates many sessions that create, arrange, inject faults and move their clocks at once', async () => {
  const { url, sandbox } = await serve({ fixture })
  const before = await digest(sandbox)
  sandbox.requests.clear()
  const numbers = Array.from({ length: chooseAmount(12, 100) }, (_, number) => number)
  const server = overHttp(url)
  const sessions = numbers.map(async (number) => {
    const { id } = await readControl<Opened>(server, 'POST', '/sessions', { id: `s${number}` })
    const mara = as(overHttp(url, { 'sandbox-session': id }), 'mara')
    const mark = `mark-${number}-`
    const arrange = (method: string, path: string, body: unknown) =>
      readControl(server, method, path, body, id)
    await arrange('POST', '/clock/advance', { by: `P${number + 1}D` })
    const first = await mara.post<CustomerNote>(notes, { categoryId: 1, content: mark })
    await arrange('PUT', '/data/customers/1', { name: mark })
    await arrange('POST', '/data/customers', [{ name: mark }, { name: mark }])
    await arrange('POST', '/faults', { path: '/members/me', status: 200, body: { mark }, times: 2 })
    const faulted = await mara.get('/members/me')
    const second = await mara.post<CustomerNote>(notes, { categoryId: 1, content: mark })
    return { id, number, mark, first, second, faulted }
  })
  for (const { id, number, mark, first, second, faulted } of await Promise.all(sessions)) {
    const now = new Date(Date.UTC(2026, 0, 15 + number + 1, 12)).toISOString()
    expect([first, second]).toMatchObject([
      { id: 6, content: mark, createdDate: now },
      { id: 7, content: mark, createdDate: now },
    ])
    expect(faulted).toEqual({ mark })
    const mara = as(overHttp(`${url}/_sandbox/sessions/${id}`), 'mara')
    expect(await mara.get(`${notes}?offset=1`)).toEqual({ items: [first, second], totalCount: 3 })
    const items = [1, 2, 3].map((customer) => ({ id: customer, name: mark }))
    expect(await mara.get(customers)).toMatchObject({ items })
    const read = <T>(path: string) => readControl<T>(server, 'GET', path, undefined, id)
    expect(await read('/clock')).toEqual({ now })
    expect(await read('/faults')).toMatchObject({ items: [{ id: 'fault-1', left: 1 }] })
    expect(await read('/data/changes')).toMatchObject({ totalCount: 5 })
    const journal = await read<Page<{ session: string }>>('/requests?bodies=true')
    expect(new Set(journal.items.map(({ session }) => session))).toEqual(new Set([id]))
    expect(journal.totalCount).toBe(5)
    expect(new Set(JSON.stringify(journal).match(/mark-\d+-/g))).toEqual(new Set([mark]))
  }
  expect(sandbox.requests.list()).toEqual([])
  expect(await digest(sandbox)).toBe(before)
  await Promise.all(numbers.map((number) => control(server, 'DELETE', `/sessions/s${number}`)))
  expect(await readControl(server, 'GET', '/sessions')).toEqual({ items: [], totalCount: 0 })
})
