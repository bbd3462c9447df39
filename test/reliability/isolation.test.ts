import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import { fixture, type Opened, serve } from '../sandbox/control-support.ts'
import { notes, type Page } from '../support.ts'
import { digest } from './calls.ts'
import { chooseAmount } from './figures.ts'

it('isolates many sessions that create, arrange, inject faults and move their clocks at once', async () => {
  const { url, sandbox } = await serve({ fixture })
  const before = await digest(sandbox)
  sandbox.requests.clear()
  const numbers = Array.from({ length: chooseAmount(12, 100) }, (_, number) => number)
  const call = async <T>(method: string, path: string, session?: string, body?: unknown): Promise<T> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = {
      authorization: 'Bearer sbx_harbor_1',
      'content-type': 'application/json',
      ...(session !== undefined && { 'sandbox-session': session }),
    }
    const response = await fetch(`${url}${path}`, { method, headers, ...init })
    const text = await response.text()
    expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300)
    return JSON.parse(text || 'null')
  }
  const sessions = numbers.map(async (number) => {
    const { id } = await call<Opened>('POST', '/_sandbox/sessions', undefined, { id: `s${number}` })
    const mark = `mark-${number}-`
    await call('POST', '/_sandbox/clock/advance', id, { by: `P${number + 1}D` })
    const first = await call<CustomerNote>('POST', `/v1${notes}`, id, { categoryId: 1, content: mark })
    await call('PUT', '/_sandbox/data/customers/1', id, { name: mark })
    await call('POST', '/_sandbox/data/customers', id, [{ name: mark }, { name: mark }])
    await call('POST', '/_sandbox/faults', id, {
      path: '/members/me',
      status: 200,
      body: { mark },
      times: 2,
    })
    const faulted = await call('GET', '/v1/members/me', id)
    const second = await call<CustomerNote>('POST', `/v1${notes}`, id, { categoryId: 1, content: mark })
    return { id, number, mark, first, second, faulted }
  })
  for (const { id, number, mark, first, second, faulted } of await Promise.all(sessions)) {
    const now = new Date(Date.UTC(2026, 0, 15 + number + 1, 12)).toISOString()
    expect([first, second]).toMatchObject([
      { id: 6, content: mark, createdDate: now },
      { id: 7, content: mark, createdDate: now },
    ])
    expect(faulted).toEqual({ mark })
    const base = `/_sandbox/sessions/${id}/v1`
    const written = await call<Page<CustomerNote>>('GET', `${base}${notes}?offset=1`)
    expect(written).toEqual({ items: [first, second], totalCount: 3 })
    const customers = await call<Page<unknown>>('GET', `${base}/organizations/harbor/customers`)
    expect(customers).toMatchObject({ items: [1, 2, 3].map((customer) => ({ id: customer, name: mark })) })
    expect(await call('GET', '/_sandbox/clock', id)).toEqual({ now })
    expect(await call('GET', '/_sandbox/faults', id)).toMatchObject({ items: [{ id: 'fault-1', left: 1 }] })
    expect(await call('GET', '/_sandbox/data/changes', id)).toMatchObject({ totalCount: 5 })
    const journal = await call<Page<{ session: string }>>('GET', '/_sandbox/requests?bodies=true', id)
    expect(new Set(journal.items.map(({ session }) => session))).toEqual(new Set([id]))
    expect(journal.totalCount).toBe(5)
    expect(new Set(JSON.stringify(journal).match(/mark-\d+-/g))).toEqual(new Set([mark]))
  }
  expect(sandbox.requests.list()).toEqual([])
  expect(await digest(sandbox)).toBe(before)
  await Promise.all(numbers.map((number) => call('DELETE', `/_sandbox/sessions/s${number}`)))
  expect(await call('GET', '/_sandbox/sessions')).toEqual({ items: [], totalCount: 0 })
})
