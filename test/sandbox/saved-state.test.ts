import { expect, it } from 'vitest'

import { createSandbox, type Sandbox, type StateDocument } from '../../src/index.ts'
import { as, control, crawl, note, notes, openSandbox } from '../support.ts'

/** Saves a state as a file would have it, with some parts changed. */
const save = async (sandbox: Sandbox, changes: object = {}): Promise<StateDocument> =>
  JSON.parse(JSON.stringify({ ...(await sandbox.saveState()), ...changes }))

/** Removes the real time since the start of rate limits. */
const withoutElapsed = (state: StateDocument): unknown =>
  JSON.parse(JSON.stringify(state, (key, value: unknown) => (key === 'elapsedMs' ? undefined : value)))

/** Changes everything that a state holds. */
async function arrange(sandbox: Sandbox): Promise<void> {
  const mara = as(sandbox, 'mara')
  sandbox.clock.advance('P40D')
  sandbox.clock.tick({ by: 'PT3M', on: 'listSignals' })
  await mara.post(notes, note)
  await sandbox.data.customers.delete(2)
  await sandbox.data.customers.create([{ name: 'Tern & Co' }])
  await sandbox.data.customers.patch(3, { city: 'Bath' })
  sandbox.faults.addAll([
    { operationId: 'getCurrentMember', sequence: [503, 500, 'pass'], repeat: true },
    { operationId: 'listMembers', rateLimit: { requests: 3, windowSeconds: 60 }, headers: { 'X-A': 1 } },
    { operationId: 'listProducts', status: 503, after: 2, times: 5 },
  ])
  sandbox.faults.remove('fault-3')
  for (const path of ['/members/me', '/organizations/harbor/members']) await mara.send(path)
}

const send = async (sandbox: Sandbox) => (await as(sandbox, 'mara').send('/members/me')).status

const create = async (sandbox: Sandbox) => as(sandbox, 'mara').post(notes, note)

it.each(['still', 'living'] as const)(
  'a state restores byte-identically in another sandbox: %s',
  { timeout: 120_000 },
  async (future) => {
    const options = { size: 5, seed: 7, future } as const
    const [a, b] = [await createSandbox(options), await createSandbox(options)]
    await arrange(a)
    const state = await save(a)
    await b.restoreState(state)
    expect(withoutElapsed(await b.saveState())).toEqual(withoutElapsed(state))
    expect(b.faults.list()).toEqual(a.faults.list())
    // The faults go on where they were.
    expect(await Promise.all([send(a), send(b)])).toEqual([500, 500])
    a.faults.clear()
    b.faults.clear()
    expect(await crawl(as(b, 'mara'))).toEqual(await crawl(as(a, 'mara')))
    expect(await create(b)).toEqual(await create(a))
    a.clock.advance('P10D')
    b.clock.advance('P10D')
    expect(withoutElapsed(await b.saveState())).toEqual(withoutElapsed(await a.saveState()))
  },
)

/** Reads the first page of the customers. */
const readPage = (sandbox: Sandbox) => as(sandbox, 'mara').get('/organizations/harbor/customers?limit=3')

it('scenarios go on where they were', async () => {
  const [a, b] = [await openSandbox(), await openSandbox()]
  a.scenarios.add({ name: 'token-expires', requests: 5 })
  a.scenarios.add({ name: 'daily-quota', requests: 7 })
  a.scenarios.add({ name: 'page-drift' })
  const before = await readPage(a)
  expect(await send(a)).toBe(200)
  await b.restoreState(await save(a))
  expect(b.scenarios.list()).toEqual(a.scenarios.list())
  for (const sandbox of [a, b]) {
    expect(await readPage(sandbox)).not.toEqual(before)
    expect(await readPage(sandbox)).toEqual(before)
    const statuses = [await send(sandbox), await send(sandbox), await send(sandbox), await send(sandbox)]
    expect(statuses).toEqual([200, 401, 401, 429])
    expect(sandbox.scenarios.add({ name: 'deleted' }).id).toBe('scenario-4')
  }
})

it('a sandbox starts from a state, which gives its dataset, too', async () => {
  const fixture = { name: 'mine', customers: [{ id: 900, name: 'Tern & Co' }] }
  const a = await createSandbox({ seed: 3, size: 4, fixture, now: '2026-02-02T02:02Z', future: 'living' })
  a.clock.advance('P3D')
  await a.data.customers.delete(1)
  const state = await save(a)
  const b = await createSandbox({ state })
  expect(b.dataset).toMatchObject({ seed: 3, size: 4, fixture: 'mine', now: '2026-02-02T02:02:00.000Z' })
  expect(await b.saveState()).toEqual(state)
  expect(await createSandbox({ state, seed: 3 })).toBeDefined()
  await expect(createSandbox({ state, seed: 4 })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/saved over a dataset with seed 3, which this sandbox does not have/),
  })
})

it('in a named session, a state over another dataset is refused by what differs, and nothing is changed', async () => {
  const state = await (await openSandbox({ seed: 1 })).saveState()
  const session = (await openSandbox({ seed: 2, now: '2026-02-01T00:00Z' })).session()
  await session.data.customers.patch(1, { name: 'Kept' })
  await expect(session.restoreState(state)).rejects.toThrow(
    /with seed 1, now 2026-01-15T12:00:00\.000Z, which .* Restore it into the default session/,
  )
  expect((await session.data.customers.get(1)).name).toBe('Kept')
})

it('in the default session, a state over another dataset brings that dataset', async () => {
  const fixture = { name: 'mine', customers: [{ id: 900, name: 'Tern & Co' }] }
  const options = { seed: 3, size: 4, fixture, now: '2026-02-02T02:02Z', future: 'living' } as const
  const a = await createSandbox(options)
  await arrange(a)
  const b = await createSandbox({ size: 5 })
  const session = b.session({ id: 'before' })
  await b.data.customers.patch(1, { name: 'Dropped' })
  await b.restoreState(await save(a))
  expect(b.dataset).toMatchObject({ seed: 3, size: 4, fixture: 'mine', future: 'living' })
  expect(withoutElapsed(await b.saveState())).toEqual(withoutElapsed(await a.saveState()))
  expect(() => b.session({ id: 'next', from: session.id })).toThrow(/no session before/)
  await b.reset()
  expect(await b.saveState()).toEqual(await (await createSandbox(options)).saveState())
})

it('a state over data that this version does not generate is refused, and nothing is changed', async () => {
  const state = await save(await openSandbox({ seed: 1 }))
  const dataset = { ...state.dataset, fingerprint: 'a'.repeat(64) }
  const fixtureContent = { customers: [{ id: 1, colour: 'red' }] }
  const cases = [
    [{ version: '9.9.9', dataset }, /saved by version 9\.9\.9, .* Use version 9\.9\.9/],
    [{ dataset }, /saved over a dataset that was edited/],
    [{ dataset: { ...dataset, fixtureContent } }, /Cannot load fixture custom.*colour/],
  ] as const
  for (const seed of [1, 2]) {
    const sandbox = await openSandbox({ seed })
    await sandbox.data.customers.patch(1, { name: 'Kept' })
    for (const [edit, message] of cases) {
      await expect(sandbox.restoreState({ ...state, ...edit }), `for ${message}`).rejects.toThrow(message)
    }
    expect(sandbox.dataset.seed).toBe(seed)
    expect((await sandbox.data.customers.get(1)).name).toBe('Kept')
  }
})

it('a state that was edited is refused by its place, and nothing is changed', async () => {
  const sandbox = await openSandbox()
  await sandbox.data.customers.patch(1, { name: 'Kept' })
  await sandbox.data.notes.patch(1, { content: 'Kept, too.' })
  const state = await sandbox.saveState()
  const [saved, written] = state.changes
  const row = saved?.['row']
  const wrong = { name: 'deleted', on: 'getCurrentMember' }
  const scenario = { id: 'scenario-1', scenario: wrong, matched: 0, acted: 0, memory: {} }
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ format: undefined }, /state format: is missing/],
    [{ format: 2 }, /state format: is 2, and this version knows formats up to 1/],
    [{ colour: 1 }, /state colour/],
    [{ scenarios: { count: 1, items: [scenario] } }, /state scenarios\.items\[0\]\.scenario\.on: /],
    [{ clock: { now: 'today', isMoved: true } }, /state clock\.now: must be a valid/],
    [{ assumptions: { errorFormat: 'x' } }, /state assumptions\.errorFormat/],
    [{ faults: { count: 1, items: [{ id: 'fault-2' }] } }, /state faults\.items\[0\]/],
    [{ changes: [{ table: 'people', id: 1, row: null }] }, /state changes\[0\]\.table/],
    [{ changes: [{ table: 'customers', id: 1 }] }, /state changes\[0\]\.row: is required/],
    [{ changes: [saved, saved] }, /state changes\[1\]: changes the same record as changes\[0\]/],
    [{ changes: [{ ...saved, id: 5 }] }, /state changes\[0\]\.row\.id: must be 5/],
    [{ changes: [{ ...saved, row: { ...Object(row), organizationId: 'x' } }] }, /row\.organizationId/],
    [{ changes: [{ ...saved, row: JSON.parse('{"__proto__":{"id":1}}') }] }, /state changes\[0\]\.row/],
    [
      { changes: [{ ...saved, row: { ...Object(row), updatedDate: '2026-02-30T09:00:00.000Z' } }] },
      /row\.updatedDate: must be an instant of the calendar/,
    ],
    [
      {
        changes: [
          { ...written, row: { ...Object(written?.['row']), updatedDate: '2020-01-01T00:00:00.000Z' } },
        ],
      },
      /row\.updatedDate: must not be before createdDate, which is 2026-01-13T09:00:00\.000Z/,
    ],
    [{ about: [Number.NaN] }, /state about\[0\]: must be a value that JSON can represent \(got NaN\)/],
    [{ assumptions: JSON.parse('{"__proto__":{"isAdmin":true}}') }, /state assumptions\.__proto__/],
    [{ about: deep(300) }, /must not be nested more than 200 levels deep/],
  ]
  for (const [edit, message] of cases) {
    await expect(sandbox.restoreState({ ...state, ...edit }), `for ${message}`).rejects.toThrow(message)
  }
  expect(Object({}).isAdmin).toBeUndefined()
  expect((await sandbox.data.customers.get(1)).name).toBe('Kept')
})

function deep(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

it('over HTTP, a state is a file to download', async () => {
  const saved = await control(await openSandbox(), 'GET', '/state')
  expect(saved.headers.get('content-disposition')).toMatch(/state\.json/)
})
