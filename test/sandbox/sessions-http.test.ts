import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import {
  as,
  control,
  createJsonPost,
  expectInvalid,
  expectProblem,
  notes,
  type Page,
  readControl,
} from '../support.ts'
import { inSession, open } from './control-support.ts'

const note = (content: string) => ({ categoryId: 1, content })

const untouched = await open()

it('finds the default session by its name, which nothing can delete', async () => {
  const { sandbox } = await open()
  await inSession(sandbox, 'default', 'header').post(notes, note('by header'))
  await inSession(sandbox, 'default', 'baseUrl').post(notes, note('by URL'))
  const { items } = await as(sandbox, 'mara').get<Page<CustomerNote>>(notes)
  expect(items.slice(1).map(({ content }) => content)).toEqual(['by header', 'by URL'])
  for (const method of ['GET', 'PUT']) {
    const { id, baseUrl } = await readControl<Record<string, string>>(sandbox, method, '/sessions/default')
    expect({ id, baseUrl }).toEqual({ id: 'default', baseUrl: 'http://sandbox/v1' })
  }
  await expectProblem(await control(sandbox, 'DELETE', '/sessions/default'), 'conflict')
  const options = { name: 'Mine', now: '2026-03-01T09:00Z', faults: { status: 503 } }
  const { detail } = await expectProblem(
    await control(sandbox, 'PUT', '/sessions/default', options),
    'conflict',
  )
  expect(detail).toBe(
    'Cannot return session default: it is there from the start, and takes no name, now, faults. Leave the options out, call PUT /_sandbox/clock, POST /_sandbox/faults in their place, or choose another id.',
  )
})

it('finds the session that a tracing library passes on as baggage, unless the base URL or the header names one', async () => {
  const { sandbox, opened } = await open()
  const march = '2026-03-01T09:00:00.000Z'
  await opened({ id: 'march', now: march })
  await opened({ id: 'other' })
  const readTime = async (headers: Record<string, string>, client = as(sandbox, 'mara')) => {
    const response = await client.send('/members/me', { headers })
    return response.status === 200
      ? new Date(response.headers.get('date') ?? '').toISOString()
      : response.status
  }
  const now = '2026-01-15T12:00:00.000Z'
  const times = {
    'sandbox-session=march': march,
    'userId=7;secret, sandbox-session = march;ttl=3 ,k=v': march,
    'sandbox-session=other,sandbox-session=%6Darch': march,
    'sandbox-session=nobody': 404,
    '': now,
    'sandbox-session=': now,
    'sandbox-session': now,
    'sandbox-session=%ZZ': now,
    'sandbox-session=march march': now,
    'sandbox-session=../march': now,
    'my-sandbox-session=march,a=1;sandbox-session=march': now,
  }
  for (const [baggage, time] of Object.entries(times)) {
    expect(await readTime({ baggage }), `for ${baggage}`).toBe(time)
  }
  const baggage = 'sandbox-session=march'
  expect(await readTime({ baggage }, inSession(sandbox, 'other', 'baseUrl'))).toBe(now)
  expect(await readTime({ baggage }, inSession(sandbox, 'other', 'header'))).toBe(now)
  expect(await readTime({ baggage: 'sandbox-session=nobody' }, inSession(sandbox, 'march', 'header'))).toBe(
    march,
  )
  const clock = await sandbox.fetch('/_sandbox/clock', { headers: { baggage } })
  expect(await clock.json()).toMatchObject({ now: march })
})

it('answers a path with a line terminator below the base URL as it does without it', async () => {
  const { sandbox, opened } = await open()
  await opened({ id: 'x' })
  const clients = [inSession(sandbox, 'x', 'baseUrl'), as(sandbox, 'mara')]
  for (const end of ['%0A', '%0D', '%E2%80%A8', '%E2%80%A9']) {
    for (const client of clients) {
      await expectInvalid(await client.send(`/organizations/harbor/members/1${end}`), 'path memberId')
      const noted = await client.send(`${notes.replace('/notes', end)}/notes`, createJsonPost(note('x')))
      await expectInvalid(noted, 'path customerId')
    }
  }
  expect(sandbox.session({ id: 'y' }).requests.list()).toEqual([])
})

it('rejects a header that names another session than the base URL', async () => {
  const { sandbox, opened } = await open()
  await opened({ id: 'x' })
  await opened({ id: 'y' })
  const client = inSession(sandbox, 'x', 'baseUrl')
  const naming = (session: string) => client.send('/members/me', { headers: { 'sandbox-session': session } })
  await expectInvalid(await naming('y'), 'header Sandbox-Session')
  expect((await naming('x')).status).toBe(200)
})

it('explains for an unknown session how to find or open one, and names no other', async () => {
  const { sandbox, opened } = await open()
  await opened({ id: 'checkout' })
  const lost = async (id: string, by: 'header' | 'baseUrl') => {
    const response = await inSession(sandbox, id, by).send('/members/me')
    return (await expectProblem(response, 'not_found')).detail
  }
  for (const by of ['header', 'baseUrl'] as const) {
    const detail = await lost('chekout', by)
    expect(detail).toContain('There is no session chekout.')
    expect(detail).toContain('/_sandbox/sessions')
    expect(detail).not.toContain('checkout')
  }
  expect((await lost('x'.repeat(5_000), 'header')).length).toBeLessThan(200)
  expect(await lost('', 'header')).toContain('There is no session without an id.')
})

it('rejects an id that is taken, and a copy of a session that is not there', async () => {
  const { opened, send, json } = await open()
  await opened({ id: 'session-1' })
  await expectProblem(await send('POST', '/sessions', { id: 'session-1' }), 'conflict')
  await expectProblem(await send('POST', '/sessions', { from: 'nowhere' }), 'not_found')
  // The next generated id skips the chosen one.
  expect(await opened()).toMatchObject({ id: 'session-2' })
  expect(await json('GET', '/sessions')).toMatchObject({ totalCount: 2 })
})

it.each(['', ' ', 'a b', '-x', '.x', '..', '_x', 'a/b', 'a%2fb', 'ä', 'a\n', 'x'.repeat(65), 'default', 7])(
  'refuses %j as an id',
  async (id) => {
    const { send, json } = untouched
    await expectInvalid(await send('POST', '/sessions', { id }), 'body id')
    expect(await json('GET', '/sessions')).toEqual({ items: [], totalCount: 0 })
  },
)

it('lists and deletes sessions, also from inside', async () => {
  const { sandbox, opened, json, send } = await open()
  const [one, two] = [await opened({ id: 'one', name: 'One' }), await opened({ id: 'two' })]
  expect(await json('GET', '/sessions')).toEqual({ items: [one, two], totalCount: 2 })
  const deleted = await send('DELETE', '/sessions/one')
  expect([deleted.status, await deleted.text()]).toEqual([204, ''])
  expect(await json('GET', '/sessions')).toEqual({ items: [two], totalCount: 1 })
  await expectProblem(await send('DELETE', '/sessions/one'), 'not_found')
  await expectProblem(await inSession(sandbox, 'one', 'baseUrl').send('/members/me'), 'not_found')
  // A deleted id is free again, without the old data.
  await opened({ id: 'one' })
  expect(await json('GET', '/sessions/one')).not.toHaveProperty('name')
  expect((await send('DELETE', '/sessions/one', undefined, 'one')).status).toBe(204)
  expect(await json('GET', '/sessions')).toEqual({ items: [two], totalCount: 1 })
})

it('rejects a request that names no session if one is required, and says how to open one', async () => {
  const { sandbox, opened, json } = await open({ requireSession: true })
  const problem = await expectProblem(await as(sandbox, 'mara').send('/members/me'), 'invalid_request')
  const message = 'is required here: open a session with POST /_sandbox/sessions and send its id'
  expect(problem.errors).toEqual([{ in: 'header', name: 'Sandbox-Session', message }])
  await expectInvalid(await as(sandbox, 'nobody').send('/nowhere'), 'header Sandbox-Session')
  const { id } = await opened()
  const clients = [inSession(sandbox, id, 'header'), inSession(sandbox, id, 'baseUrl')]
  for (const client of [...clients, as(sandbox.session(), 'mara')]) await client.get('/members/me')
  for (const path of ['/health', '/credentials', '/clock', '/requests']) await json('GET', path)
})

it('forks a session with its changes, clock and faults, but without its name and journal, and isolates it from then on', async () => {
  const { sandbox, opened, json, send } = await open()
  const faults = { operationId: 'getCurrentMember', status: 503, times: 2 }
  await opened({ id: 'one', name: 'One', now: '2030-01-01T00:00Z', faults })
  const one = inSession(sandbox, 'one', 'header')
  await one.send('/members/me')
  await send('PATCH', '/data/customers/1', { name: 'Arranged' }, 'one')
  const fork = await opened({ id: 'two', from: 'one' })
  expect(fork).toEqual({ id: 'two', baseUrl: expect.any(String), now: '2030-01-01T00:00:00.000Z' })
  const two = inSession(sandbox, 'two', 'header')
  expect(await two.get('/organizations/harbor/customers/1')).toMatchObject({ name: 'Arranged' })
  expect(await json('GET', '/requests', undefined, 'two')).toMatchObject({ totalCount: 1 })
  await json('PUT', '/clock', { now: '2031-01-01T00:00Z' }, 'two')
  await json('POST', '/faults', { status: 500, after: 99 }, 'two')
  const [inOne, inTwo] = [await one.post(notes, note('one')), await two.post(notes, note('two'))]
  expect(inOne).toMatchObject({ id: 6, createdDate: '2030-01-01T00:00:00.000Z' })
  expect(inTwo).toMatchObject({ id: 6, createdDate: '2031-01-01T00:00:00.000Z' })
  expect(await one.get(`${notes}?offset=1`)).toEqual({ items: [inOne], totalCount: 2 })
  for (const client of [two, one]) expect((await client.send('/members/me')).status).toBe(503)
  expect((await two.send('/members/me')).status).toBe(200)
  expect(await json('GET', '/faults', undefined, 'one')).toMatchObject({ totalCount: 1 })
  await send('DELETE', '/sessions/one')
  expect(await two.get(`${notes}?offset=1`)).toEqual({ items: [inTwo], totalCount: 2 })
})

it('restores a snapshot of a session as often as needed, also into another one', async () => {
  const { sandbox } = await open()
  const session = sandbox.session({ faults: { operationId: 'getCurrentMember', status: 503, times: 1 } })
  const mara = as(session, 'mara')
  const before = await mara.post<CustomerNote>(notes, note('before'))
  session.clock.advance('P1D')
  const snapshot = session.snapshot()
  const [read, faults, now] = [await mara.get(notes), session.faults.list(), session.clock.now()]
  for (let round = 0; round < 3; round += 1) {
    expect(await mara.post(notes, note('after'))).toMatchObject({ id: before.id + 1 })
    await session.data.customers.delete(1)
    session.clock.advance('P1Y')
    expect((await mara.send('/members/me')).status).toBe(503)
    session.faults.add({ status: 500 })
    session.restore(snapshot)
    expect([await mara.get(notes), session.faults.list(), session.clock.now()]).toEqual([read, faults, now])
  }
  await session.reset()
  expect(session.faults.list()).toEqual([])
  // The control of the faults goes on working after a reset.
  expect(session.faults.add({ status: 500 }).id).toBe('fault-1')
  expect((await mara.send('/members/me')).status).toBe(500)
  const other = sandbox.session()
  other.restore(snapshot)
  expect(await as(other, 'mara').get(notes)).toEqual(read)
})
