import { expect, it, onTestFinished, vi } from 'vitest'

import { expectInvalid, openSandbox, words } from '../support.ts'
import { open } from './control-support.ts'

const noon = '2026-01-15T12:00:00.000Z'
const opened = await open()

/** Freezes the machine's time, except for `vi.setSystemTime`. */
function stopMachine(time: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) })
  onTestFinished(() => void vi.useRealTimers())
}

it('is frozen while the machine’s time passes', async () => {
  stopMachine('2027-01-01T00:00:00.000Z')
  const { sandbox: frozen, json } = await open()
  vi.setSystemTime(new Date('2028-01-01T00:00:00.000Z'))
  expect(frozen.clock.now()).toBe(noon)
  expect(await json('GET', '/clock')).toEqual({ now: noon })
})

it('is set and advanced over HTTP and in process', async () => {
  const { sandbox: set, json } = await open()
  const put = await json('PUT', '/clock', { now: '2030-02-03T04:05Z' })
  expect(put).toEqual({ now: '2030-02-03T04:05:00.000Z' })
  expect(set.clock.now()).toBe('2030-02-03T04:05:00.000Z')
  expect(await json('POST', '/clock/advance', { by: 'P1DT2H' })).toEqual({ now: '2030-02-04T06:05:00.000Z' })
  set.clock.set('2020-01-01T00:00:00.123456Z')
  set.clock.advance('PT1S')
  expect(await json('GET', '/clock')).toEqual({ now: '2020-01-01T00:00:01.123Z' })
})

it.each([
  [noon, 'P1Y', '2027-01-15T12:00:00.000Z'],
  [noon, 'P1Y2M3W4DT5H6M7.089S', '2027-04-09T17:06:07.089Z'],
  [noon, 'PT0.0019S', '2026-01-15T12:00:00.001Z'],
  [noon, 'PT1,5S', '2026-01-15T12:00:01.500Z'],
  [noon, 'PT0.1H', '2026-01-15T12:06:00.000Z'],
  [noon, 'P0D', noon],
  [noon, 'P7973Y', '9999-01-15T12:00:00.000Z'],
  ['2026-01-31T12:00Z', 'P1M', '2026-02-28T12:00:00.000Z'],
  ['2028-01-31T12:00Z', 'P1M', '2028-02-29T12:00:00.000Z'],
  ['2026-01-31T12:00Z', 'P1M1D', '2026-03-01T12:00:00.000Z'],
  ['2028-02-29T12:00Z', 'P1Y', '2029-02-28T12:00:00.000Z'],
  ['2100-02-28T12:00Z', 'P1D', '2100-03-01T12:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', 'PT0.001S', '2027-01-01T00:00:00.000Z'],
  ['0000-02-28T00:00Z', 'P1D', '0000-02-29T00:00:00.000Z'],
  ['9999-12-31T23:59:59.998Z', 'PT0.001S', '9999-12-31T23:59:59.999Z'],
])('advances %s by %s to %s', (from, by, expected) => {
  const { clock } = opened.sandbox.session({ now: from })
  clock.advance(by)
  expect(clock.now()).toBe(expected)
})

it.each([
  ...words(`P PT P1DT T1H 1D PT1D P1S p1d -P1D P-1D P1D1Y PT1S1H P.5D P1.5D PT1.5H1M PT1.S PT1.0000000001S
    P1e3D PInfinityD P\u0661D 3600 2026-01-16T12:00:00Z P7974Y`),
  '',
  'P 1D',
  'P1D\n',
  `P${'9'.repeat(40)}Y`,
])('rejects an advance by %j, and does not move', async (by) => {
  const { send, json } = opened
  await expectInvalid(await send('POST', '/clock/advance', { by }), 'body by')
  expect(await json('GET', '/clock')).toEqual({ now: noon })
})

it.each([
  ...words(`noon system 2026-01-15 2026-01-15T12:00 2026-01-15T12:00+01:00 2026-02-29T00:00Z
    2026-01-15T24:00Z 2026-01-15t12:00z +010000-01-01T00:00Z`),
  '',
  1_768_478_400_000,
  null,
])('rejects to be set to %j, and does not move', async (now) => {
  const { send, json } = opened
  await expectInvalid(await send('PUT', '/clock', { now }), 'body now')
  expect(await json('GET', '/clock')).toEqual({ now: noon })
})

it('resets to its start and keeps the changes since, and goes back with everything, or to the time of a new dataset', async () => {
  const { sandbox: shifted, json } = await open()
  await json('PUT', '/clock', { now: '2030-01-01T00:00Z' })
  await json('POST', '/faults', { status: 503 })
  expect(await json('DELETE', '/clock')).toEqual({ now: noon })
  shifted.clock.advance('P1D')
  shifted.clock.reset()
  expect(await json('GET', '/clock')).toEqual({ now: noon })
  expect(await json('GET', '/faults')).toMatchObject({ totalCount: 1 })
  shifted.clock.set('2030-01-01T00:00Z')
  await json('POST', '/reset')
  expect(shifted.clock.now()).toBe(noon)
  await shifted.reseed({ now: '2027-07-07T07:07Z' })
  expect(shifted.clock.now()).toBe('2027-07-07T07:07:00.000Z')
})

it('runs with the machine’s time on request, and continues from where it is set', async () => {
  stopMachine('2027-01-01T00:00:00.000Z')
  const running = await openSandbox({ size: 3, now: 'system' })
  const session = running.session()
  expect(running.clock.now()).toBe('2027-01-01T00:00:00.000Z')
  vi.setSystemTime(new Date('2027-01-01T00:00:10.000Z'))
  expect(running.clock.now()).toBe('2027-01-01T00:00:10.000Z')
  expect(running.dataset.now).toBe('2027-01-01T00:00:00.000Z')
  running.clock.set('2030-01-01T00:00Z')
  session.clock.advance('P1D')
  vi.setSystemTime(new Date('2027-01-01T00:00:11.000Z'))
  expect(running.clock.now()).toBe('2030-01-01T00:00:01.000Z')
  expect(session.clock.now()).toBe('2027-01-02T00:00:11.000Z')
  expect(running.session({ from: session.id }).clock.now()).toBe('2027-01-02T00:00:11.000Z')
  await running.reset()
  expect(running.clock.now()).toBe('2027-01-01T00:00:11.000Z')
})
