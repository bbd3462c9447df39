import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { expect as expectLater } from '../../src/playwright.ts'
import { createJsonPost } from '../support.ts'
import { openRemote, serve } from './control-support.ts'

/** Opens a session over HTTP, in which a client has lost customer 11, and has not stored customer 7. */
async function openLost() {
  const { url } = await serve({ size: 40 })
  const { session, client } = await openRemote({ url })
  await session.scenarios.add({ name: 'page-drift', times: 1 })
  const rows: Customer[] = []
  for (let offset = 0, total = 1; offset < total; offset += 10) {
    const page = await client.listCustomers({ organizationId: 'harbor', offset, limit: 10 })
    rows.push(...page.items.filter(({ id }) => id !== 7))
    total = page.totalCount
  }
  const post = async (query: string, init: RequestInit) => {
    const target = `${url}/_sandbox/sync/verdict${query}`
    const headers = { 'sandbox-session': session.id, ...Object(init.headers) }
    const response = await fetch(target, { ...init, headers })
    return { status: response.status, body: await response.json() }
  }
  return { session, rows, post }
}

const lost = {
  correct: false,
  judgedBy: 'copy',
  missed: [
    { id: 7, reason: 'delivered_not_stored', requests: [1], heals: 'full' },
    { id: 11, reason: 'page_drift', requests: [1, 2], heals: 'full' },
  ],
}

const postLines = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-ndjson' },
  body,
})

it('judges a copy in each of its forms, with the options in the body or in the query', async () => {
  const { rows, post } = await openLost()
  const asLines = (toLine: (row: Customer) => unknown): string =>
    rows.map((row) => `${JSON.stringify(toLine(row))}\n`).join('')
  const forms = [
    createJsonPost({ copy: { customers: rows } }),
    postLines(asLines((row) => ({ collection: 'customers', row }))),
    postLines(asLines((row) => row)),
    postLines(`A log.\n${asLines((record) => ({ type: 'RECORD', stream: 'customers', record }))}`),
    postLines(asLines((data) => ({ type: 'RECORD', record: { stream: 'customers', data } }))),
    postLines(JSON.stringify({ customers: rows }, undefined, 2)),
  ]
  for (const form of forms) expect(await post('', form)).toMatchObject({ status: 200, body: lost })
  const { body: allowed } = await post(
    '?as=1&ignore=city&allow=page_drift,delivered_not_stored',
    postLines(JSON.stringify({ customers: rows })),
  )
  expect(allowed).toMatchObject({ ...lost, correct: true })
  expect((await post('', createJsonPost({}))).body).toMatchObject({
    judgedBy: 'delivered',
    missed: [{ id: 11, reason: 'page_drift' }],
  })
})

it('names what is wrong with a copy', async () => {
  const { post } = await openLost()
  const row = '{"collection":"customers","row":1}'
  const expected = [
    [await post('', postLines(`${row}\n{`)), 'line 2'],
    [await post('', postLines(`{"name":"Acme"}\n${row}`)), 'line 1'],
    [await post('', postLines('{"type":"RECORD"}')), 'line 1'],
    [await post('', postLines('{"collection":"customer","row":1}')), 'customer'],
    [await post('', postLines('[1]')), 'copy'],
    [await post('', postLines('{')), 'must be JSON'],
    [await post('', createJsonPost({ copy: { customers: [{}] } })), 'copy.customers[0]'],
    [await post('', createJsonPost({ copies: {} })), 'copies'],
    [await post('?as=0', createJsonPost({})), '"in":"query","name":"as"'],
    [await post('', createJsonPost({ as: 0 })), '"in":"body","name":"as"'],
    [await post('', createJsonPost({ copy: {} })), 'nothing to judge'],
    [await post('', postLines('\n'.repeat(9_000))), 'nothing to judge'],
  ] as const
  for (const [{ status, body }, name] of expected) {
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(name)
  }
})

it('judges a session of another process, also with a matcher of Playwright', async () => {
  const { session, rows } = await openLost()
  expect(await session.sync.verdict({ customers: rows })).toMatchObject(lost)
  const allow = ['page_drift', 'delivered_not_stored'] as const
  await expectLater(session).toHaveSynced({ customers: rows }, { allow })
  await expectLater(session).not.toHaveSynced({ customers: rows })
})
