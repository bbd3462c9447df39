import { expect, it } from 'vitest'

import { as, crawl, openSandbox, readControl } from '../support.ts'

it('shows the tenant as it is two years after the dataset from then on, wherever time is asked for', async () => {
  const sandbox = await openSandbox({ size: 3, future: 'living' })
  const at = async (now: string) => {
    await readControl(sandbox, 'PUT', '/clock', { now })
    return crawl(as(sandbox, 'mara'))
  }
  const [before, last] = [await at('2027-12-01T00:00Z'), await at('2028-01-17T00:00Z')]
  expect(last).not.toEqual(before)
  expect(await at('2036-01-15T00:00Z')).toEqual(last)
  await readControl(sandbox, 'POST', '/clock/advance', { by: 'P1000Y' })
  expect(await crawl(as(sandbox, 'mara'))).toEqual(last)
  const events = await sandbox.clock.events({ from: '2028-01-10T00:00Z', to: '2028-02-10T00:00Z' })
  expect(events.items.map(({ day }) => day)).toContain('2028-01-15')
  expect(events.items.at(-1)?.day).toBe('2028-01-16')
  expect(events.next).toBeUndefined()
  expect(await sandbox.data.changes({ since: '2028-02-01T00:00Z', by: 'clock' })).toEqual([])
  sandbox.clock.tick({ by: 'P6Y' })
  const now = sandbox.clock.now()
  await as(sandbox, 'mara').get('/members/me')
  expect(sandbox.clock.now() > now).toBe(true)
})

it('lives in a session whose time is far from the dataset’s', async () => {
  const sandbox = await openSandbox({ size: 3 })
  await readControl(sandbox, 'PUT', '/clock', { now: '2206-01-15T00:00Z' })
  await readControl(sandbox, 'POST', '/sessions', { id: 'far', from: 'default', future: 'living' })
  await readControl(sandbox, 'GET', '/data/history/members/7', undefined, 'far')
  const events = '/clock/events?from=2026-02-01T00:00Z'
  const { items } = await readControl<{ items: object[] }>(sandbox, 'GET', events, undefined, 'far')
  expect(items.length).toBeGreaterThan(20)
})

it('answers others while time moves far in one session', async () => {
  const sandbox = await openSandbox({ size: 25 })
  const other = sandbox.session()
  await readControl(sandbox, 'PUT', '/sessions/far', { future: 'living' })
  const state = { isMoving: true }
  const moving = readControl(sandbox, 'POST', '/clock/advance', { by: 'P1Y' }, 'far').finally(
    () => (state.isMoving = false),
  )
  let answered = 0
  for (; state.isMoving; answered += 1) {
    await as(other, 'mara').get('/members/me')
    // Lets the other session go on, as a socket would.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await moving
  expect(answered).toBeGreaterThan(5)
})
