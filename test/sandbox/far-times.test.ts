import { expect, it } from 'vitest'

import { chooseSample } from '../reliability/figures.ts'
import { as, control, expectInvalid, openSandbox } from '../support.ts'

const living = { size: 3, future: 'living' } as const

it.each([
  ['PUT', '/clock', { now: '2206-01-15T00:00Z' }, 'body now'],
  ['PUT', '/clock', { now: '2036-01-15T00:00Z' }, 'body now'],
  ['POST', '/clock/advance', { by: 'P10Y' }, 'body by'],
  ['GET', '/clock/events?from=2126-01-15T00:00Z', undefined, 'query from'],
  ['GET', '/clock/events?from=2046-01-15T00:00Z&to=2046-02-15T00:00Z', undefined, 'query to'],
  ['GET', '/clock/changes?until=2126-01-15T00:00Z', undefined, 'query until'],
  ['POST', '/sessions', { now: '2206-01-15T00:00Z' }, 'body now'],
])('rejects a time that data would take too long to reach: %s %s %j', async (method, path, body, place) => {
  const sandbox = await openSandbox(living)
  const response = await control(sandbox, method, path, body)
  expect(await response.clone().text()).toContain('must lead no further than 2031-01-16T12:00:00.000Z')
  await expectInvalid(response, place)
  expect(sandbox.clock.now()).toBe('2026-01-15T12:00:00.000Z')
})

it.runIf(chooseSample(false, true))(
  'lets data change for twenty years, where a ticking clock stops',
  async () => {
    const sandbox = await openSandbox(living)
    for (let step = 0; step < 4; step += 1) await control(sandbox, 'POST', '/clock/advance', { by: 'P1826D' })
    const response = await control(sandbox, 'POST', '/clock/advance', { by: 'P5D' })
    expect(await response.text()).toContain('must lead no further than 2046-01-15T12:00:00.000Z')
    expect(() => sandbox.clock.advance('P5D')).toThrow('duration: must lead no further than')
    const end = sandbox.clock.now()
    sandbox.clock.tick({ by: 'P6Y' })
    for (let request = 0; request < 2; request += 1) await as(sandbox, 'mara').get('/members/me')
    expect(sandbox.clock.now()).toBe(end)
  },
)

it('moves the clock of data that stands still as far as the calendar goes', async () => {
  const sandbox = await openSandbox({ size: 3 })
  expect((await control(sandbox, 'PUT', '/clock', { now: '2206-01-15T00:00Z' })).status).toBe(200)
  const from = { from: 'default', future: 'living' }
  await expectInvalid(await control(sandbox, 'POST', '/sessions', from), 'body future')
})

it('answers others while time moves far in one session', async () => {
  const sandbox = await openSandbox({ size: 25 })
  const other = sandbox.session()
  await control(sandbox, 'PUT', '/sessions/far', { future: 'living' })
  const state = { isMoving: true }
  const moving = control(sandbox, 'POST', '/clock/advance', { by: 'P1Y' }, 'far').finally(
    () => (state.isMoving = false),
  )
  let answered = 0
  for (; state.isMoving; answered += 1) {
    await as(other, 'mara').get('/members/me')
    // Lets the other session go on, as a socket would.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await moving).status).toBe(200)
  expect(answered).toBeGreaterThan(5)
})
