import { expect, it } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { as, createJsonPost, customers, note, notes, openSandbox, overHttp } from '../support.ts'

const requests: readonly (readonly [path: string, init: RequestInit, status: number])[] = [
  [`${customers}/1`, {}, 200],
  [`${customers}?limit=5`, {}, 200],
  [notes, createJsonPost(note), 200],
  [`${customers}?limit=0`, {}, 400],
  ['/organization', {}, 404],
  [`${customers}/1`, { headers: { authorization: 'Bearer nobody' } }, 401],
]

it('dates every response with the time of the session, also from a cache (assumed A-40)', async () => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  for (const now of ['2026-01-15T12:00:00.000Z', '2026-03-01T09:30:15.900Z']) {
    sandbox.clock.set(now)
    for (const [path, init, status] of [...requests, ...requests, ...requests]) {
      const response = await mara.send(path, init)
      expect([response.status, response.headers.get('date')]).toEqual([status, new Date(now).toUTCString()])
    }
  }
})

it('dates a preflight with the time of the session in its base URL (assumed A-40)', async () => {
  const sandbox = await openSandbox()
  const session = sandbox.session()
  session.clock.set('2026-03-01T09:30:15.900Z')
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  for (const [base, date] of [
    ['', 'Thu, 15 Jan 2026 12:00:00 GMT'],
    [`/_sandbox/sessions/${session.id}`, 'Sun, 01 Mar 2026 09:30:15 GMT'],
  ] as const) {
    const preflight = new Request(`http://sandbox${base}/v1/members/me`, { method: 'OPTIONS', headers })
    const response = await sandbox.fetch(preflight)
    expect([response.status, response.headers.get('date')]).toEqual([204, date])
  }
})

it('dates the responses of faults, unknown sessions and a server alike', async () => {
  await using server = await startSandbox({ port: 0, size: 3 })
  const { faults } = server.sandbox
  faults.add({ operationId: 'getCurrentMember', status: 503, times: 1 })
  faults.add({
    operationId: 'getCurrentMember',
    status: 429,
    headers: { Date: 'Thu, 01 Jan 1970 00:00:00 GMT' },
    times: 1,
  })
  const read = async (headers: Record<string, string> = {}) => {
    const response = await as(overHttp(server.url, headers), 'mara').send('/members/me')
    return [response.status, response.headers.get('date')]
  }
  const now = 'Thu, 15 Jan 2026 12:00:00 GMT'
  expect(await read()).toEqual([503, now])
  expect(await read()).toEqual([429, 'Thu, 01 Jan 1970 00:00:00 GMT'])
  expect(await read()).toEqual([200, now])
  expect(await read({ 'sandbox-session': 'nobody' })).toEqual([404, now])
})

it('warns of an updatedSince after the present, which matches nothing', async () => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  const sent = await mara.send(`${customers}?updatedSince=2026-01-15T12:00:00.0001Z`)
  expect(await sent.json()).toMatchObject({ items: [], totalCount: 0 })
  expect(sent.headers.get('sandbox-warning')).toContain('is after the present, 2026-01-15T12:00:00.000Z')
  expect(sandbox.requests.warnings().map(({ code }) => code)).toEqual(['future_cursor'])
  for (const now of ['2026-03-01T12:00:00.000Z', '2026-01-15T12:00:00.000Z']) {
    sandbox.clock.set(now)
    const headers: boolean[] = []
    for (let time = 0; time < 3; time += 1) {
      const answer = await mara.send(`${customers}?updatedSince=2026-02-01T00:00Z`)
      headers.push(answer.headers.get('sandbox-warning')?.includes('is after the present') ?? false)
    }
    expect(headers).toEqual(Array(3).fill(now < '2026-02-01'))
  }
  const sound = await mara.send(`${customers}?updatedSince=2026-01-15T12:00:00.000Z`)
  expect(sound.headers.get('sandbox-warning')).toBeNull()
  const meetings = await mara.send(`${customers}/1/meetings?minStartDate=2027-01-01T00:00Z`)
  expect(meetings.headers.get('sandbox-warning')).toBeNull()
})
