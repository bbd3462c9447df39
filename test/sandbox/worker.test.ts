import { expect, it } from 'vitest'

import { createWorker, type ObjectState, SandboxSession } from '../../src/worker.ts'
import { as, control, createJsonPost, expectProblem, note, notes } from '../support.ts'

/** A platform with one object, which it drops like Cloudflare's if it fails. */
function createPlatform(values = new Map<string, string>()) {
  const platform = {
    values,
    isFull: false,
    object: undefined as SandboxSession | undefined,
    /** The values that a crash may leave: writes in one go are stored together. */
    moments: [] as (readonly (readonly [string, string])[])[],
  }
  let isStoring = false
  const store = <T>(write: () => T): T => {
    if (!isStoring)
      queueMicrotask(() => {
        isStoring = false
        platform.moments.push([...values])
      })
    isStoring = true
    return write()
  }
  const storage: ObjectState['storage'] = {
    list: async () => new Map(values),
    put: async (entries) => {
      if (platform.isFull) throw new Error('SQLITE_FULL')
      store(() => Object.entries(entries).forEach(([key, value]) => values.set(key, value)))
    },
    delete: async (keys) => store(() => keys.filter((key) => values.delete(key)).length),
    deleteAll: async () => store(() => values.clear()),
  }
  const blockConcurrencyWhile: ObjectState['blockConcurrencyWhile'] = async (task) => {
    try {
      return await task()
    } catch (error) {
      platform.object = undefined
      throw error
    }
  }
  const worker = createWorker({ size: 3 })
  const env = {
    SESSIONS: {
      idFromName: () => ({}),
      get: () => ({
        fetch: (request: Request) => {
          platform.object ??= new SandboxSession({ storage, blockConcurrencyWhile }, {})
          return platform.object.fetch(request)
        },
      }),
    },
  }
  // Without an admin token, only this machine may use the control plane.
  const fetch = (request: Request) =>
    worker.fetch(new Request(request.url.replace('//sandbox/', '//localhost/'), request), env)
  return Object.assign(platform, { fetch, service: as({ fetch }, 'mara') })
}

it('acknowledges nothing that a worker cannot store, and goes on without it', async () => {
  const platform = createPlatform()
  const { service } = platform
  const kept = await service.post(notes, note)
  const before = await service.get<{ items: unknown[] }>(notes)
  platform.isFull = true
  await expectProblem(await service.send(notes, createJsonPost(note)), 'storage_unavailable')
  expect(await service.get(notes)).toEqual(before)
  platform.isFull = false
  const next = await service.post(notes, note)
  const { items } = await createPlatform(platform.values).service.get<{ items: unknown[] }>(notes)
  expect(items).toEqual([...before.items, next])
  expect(items).toContainEqual(kept)
})

it('goes on after a sleep where requests alone have led: counted faults, a clock that ticks', async () => {
  const platform = createPlatform()
  const ask = ({ service }: typeof platform) =>
    service.send('/members/me', { headers: { 'sandbox-session': 'x' } })
  await control(platform, 'POST', '/sessions', { id: 'x', faults: { sequence: [500, 502] } })
  await control(platform, 'POST', '/clock/tick', { by: 'PT1H' }, 'x')
  expect((await ask(platform)).status).toBe(500)
  const awake = createPlatform(platform.values)
  const response = await ask(awake)
  expect(response.status).toBe(502)
  expect(response.headers.get('date')).toBe('Thu, 15 Jan 2026 13:00:00 GMT')
  expect((await ask(createPlatform(platform.values))).status).toBe(200)
})

it('refuses what was stored over other data, until a reseed drops it', async () => {
  const platform = createPlatform()
  await platform.service.post(notes, note)
  const later = [...platform.values].map(([key, text]) => {
    const other = text.replace(/"version":"[^"]*"/, '"version":"0.0.1"')
    return [key, other.replace(/(?<="fingerprint":")./, (digit) => (digit === '0' ? '1' : '0'))] as const
  })
  const updated = createPlatform(new Map(later))
  const problem = await expectProblem(await updated.service.send('/members/me'), 'conflict')
  expect(problem.detail).toContain('it was saved by version 0.0.1, whose data differ')
  expect((await control(updated, 'POST', '/reseed', {})).status).toBe(200)
  expect((await updated.service.send('/members/me')).status).toBe(200)
})

it('stores a reseed and the end of the sessions at once, so that no crash comes between them', async () => {
  const platform = createPlatform()
  await control(platform, 'POST', '/sessions', { id: 'x' })
  await control(platform, 'POST', '/reseed', { seed: 7 })
  for (const values of platform.moments) {
    const { status } = await createPlatform(new Map(values)).service.send('/members/me')
    expect(status).toBe(200)
  }
  expect(platform.moments.length).toBeGreaterThan(1)
})
