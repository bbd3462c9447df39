import { expect, it, onTestFinished, vi } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import { as, expectProblem } from '../support.ts'
import { inSession, open } from './control-support.ts'

/** Opens a sandbox with limits; `ids` lists its sessions, the longest idle first. */
async function limited(sessions: Required<NonNullable<Parameters<typeof open>[0]>>['sessions']) {
  const opened = await open({ sessions })
  const ids = async () => {
    const { items } = await opened.json<{ items: { id: string }[] }>('GET', '/sessions')
    return items.map(({ id }) => id)
  }
  /** Uses a session. */
  const use = async (id: string): Promise<void> => {
    await inSession(opened.sandbox, id, 'header').get('/members/me')
  }
  return { ...opened, ids, use }
}

/** Freezes the machine's stopwatch, and returns a function that advances it. */
function stopStopwatch(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (ms) => void vi.advanceTimersByTime(ms)
}

/** Writes kilobytes into a session, in notes of ten kilobytes. */
async function write({ data }: Pick<SessionHandle, 'data'>, kilobytes: number): Promise<void> {
  const long = { customerId: 1, content: 'x'.repeat(10_000) }
  await data.notes.create(Array.from({ length: kilobytes / 10 }, () => long))
}

/** Sends a request to a session that waits until the sandbox is released. */
function hold(session: SessionHandle): Promise<Response> {
  session.faults.add({ delayMs: 600_000, times: 1 })
  return as(session, 'mara').send('/members/me')
}

it('expires a session that was idle for too long, and says so', async () => {
  const pass = stopStopwatch()
  const { sandbox, ids } = await limited({ ttlMs: 1_000 })
  sandbox.session({ id: 'x' })
  pass(999)
  expect(await ids()).toEqual(['x'])
  pass(1)
  const response = await inSession(sandbox, 'x', 'header').send('/members/me')
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('has expired')])
  expect(await ids()).toEqual([])
})

it('keeps a session while it is used: by requests, control calls or records arranged in process', async () => {
  const pass = stopStopwatch()
  const { sandbox, ids, use, json } = await limited({ ttlMs: 1_000 })
  for (const id of ['requests', 'calls', 'idle']) sandbox.session({ id })
  const session = sandbox.session({ id: 'arranges' })
  for (let round = 0; round < 5; round += 1) {
    pass(600)
    await use('requests')
    await json('GET', '/clock', undefined, 'calls')
    await session.data.customers.put({ id: 1, name: `Round ${round}` })
  }
  expect(await ids()).toEqual(['requests', 'calls', 'arranges'])
})

it('keeps a session while it responds, however long that takes', async () => {
  const pass = stopStopwatch()
  const { sandbox, ids } = await limited({ ttlMs: 1_000, count: 2 })
  const answer = hold(sandbox.session({ id: 'busy' }))
  pass(5_000)
  for (const id of ['one', 'two', 'three']) sandbox.session({ id })
  expect(await ids()).toEqual(['busy', 'three'])
  sandbox.release()
  expect((await answer).status).toBe(200)
  pass(999)
  expect(await ids()).toEqual(['three', 'busy'])
})

it('evicts the longest idle of too many sessions', async () => {
  const { sandbox, ids, use } = await limited({ count: 3 })
  for (const id of ['one', 'two', 'three']) sandbox.session({ id })
  await use('one')
  sandbox.session({ id: 'four' })
  expect(await ids()).toEqual(['three', 'one', 'four'])
  // A fork uses its origin.
  sandbox.session({ id: 'five', from: 'three' })
  expect(await ids()).toEqual(['four', 'three', 'five'])
})

it('evicts the longest idle session that is not in use if all together take too much memory', async () => {
  const { sandbox, ids, use } = await limited({ bytes: 150_000, inUse: 1 })
  await write(sandbox.session({ id: 'one' }), 50)
  await write(sandbox.session({ id: 'two' }), 50)
  await use('one')
  expect(await ids()).toEqual(['two', 'one'])
  await write(sandbox.session({ id: 'three' }), 50)
  expect(await ids()).toEqual(['one', 'three'])
  // The memory of evicted sessions no longer counts.
  await write(sandbox.session({ id: 'four' }), 20)
  expect(await ids()).toEqual(['one', 'three', 'four'])
})

it('evicts no session in use, and opens no other until there is memory', async () => {
  const { sandbox, ids, send, opened } = await limited({ bytes: 150_000, inUse: 3 })
  for (const id of ['one', 'two', 'three', 'four']) await write(sandbox.session({ id }), 40)
  expect(await ids()).toEqual(['two', 'three', 'four'])
  await write(sandbox.session({ id: 'large' }), 100)
  expect(await ids()).toEqual(['three', 'four', 'large'])
  const { detail } = await expectProblem(await send('POST', '/sessions', { id: 'five' }), 'storage_full')
  expect(detail).toContain('DELETE /_sandbox/sessions/{id}')
  expect(() => sandbox.session({ id: 'five' })).toThrow('Cannot open session five')
  await send('DELETE', '/sessions/three')
  await opened({ id: 'five' })
  expect(await ids()).toEqual(['four', 'large', 'five'])
})

it('releases the bodies in journals, then all but the last entries, before it evicts a session in use', async () => {
  const { sandbox, ids, json } = await limited({ bytes: 500_000 })
  const names = ['one', 'two', 'three']
  for (const id of names) {
    const { faults } = sandbox.session({ id })
    faults.add({ path: '/members/me', status: 200, body: 'x'.repeat(20_000) })
  }
  const readLog = (id: string) =>
    json<{ items: { response: { body?: string } }[] }>('GET', '/requests', undefined, id)
  const ask = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      for (const id of names) await inSession(sandbox, id, 'header').send('/members/me')
    }
  }
  await ask(20)
  expect(await ids()).toEqual(names)
  expect((await readLog('one')).items).toHaveLength(20)
  expect((await readLog('one')).items[0]?.response.body).toBeUndefined()
  await ask(80)
  expect(await ids()).toEqual(names)
  const { items } = await readLog('three')
  expect(items.length).toBeGreaterThanOrEqual(50)
  expect(items.length).toBeLessThan(100)
})

it('never evicts the session that it has just opened', async () => {
  const { sandbox, ids } = await limited({ count: 1 })
  const answer = hold(sandbox.session({ id: 'busy' }))
  expect(sandbox.session({ id: 'opened' }).id).toBe('opened')
  expect(await ids()).toEqual(['busy', 'opened'])
  sandbox.release()
  await answer
  expect(await ids()).toEqual(['busy'])
})
