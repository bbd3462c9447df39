import { readFileSync } from 'node:fs'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { schedules, sweep, type SweepOptions } from 'workspace-sandbox'

import { CommonSync } from '../src/common.ts'
import { knownBad } from '../src/known-bad.ts'
import { NaiveSync } from '../src/naive.ts'
import { SoundSync } from '../src/sound.ts'

const options: SweepOptions<SoundSync> = {
  client: ({ fetch, state }) => new SoundSync({ fetch, state, limit: 10 }),
  run: (client) => client.run(),
  full: (client) => client.full(),
  copy: (client) => client.copy(),
}

test('the sound sync survives', async () => {
  await expect(sweep({ ...options, limit: 10 })).resolves.toMatchObject({ isDeterministic: true })
}, 60_000)

test('the sound sync survives several events at once', async () => {
  const { events } = await sweep({ ...options, limit: 1 })
  const property = fc.asyncProperty(schedules(fc, { events }), async (schedule) => {
    await sweep({ ...options, schedule, allowIdle: true })
  })
  await expect(fc.assert(property, { numRuns: 5 })).resolves.toBeUndefined()
}, 60_000)

test.each([
  ['naive', NaiveSync, 'page-drift'],
  ['common', CommonSync, 'deleted'],
] as const)('the %s sync fails', async (name, Connector, scenario) => {
  const result = sweep<NaiveSync | CommonSync>({
    client: ({ fetch, state }) => new Connector({ fetch, state, limit: 10 }),
    run: (client) => client.run(),
    copy: (client) => client.copy(),
    events: { scenarios: [scenario] },
  })
  const text = readFileSync(`verdicts/${name}.txt`, 'utf8').trimEnd()
  await expect(result).rejects.toThrow(text)
})

test('a sync that never removes a row fails', async () => {
  const Connector = knownBad['no deletions'] ?? SoundSync
  const result = sweep({
    ...options,
    client: ({ fetch, state }) => new Connector({ fetch, state, limit: 10 }),
  })
  await expect(result).rejects.toThrow('deleted_unseen')
})
