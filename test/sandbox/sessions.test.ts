import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import { as, expectProblem, notes, openSandbox, type Page } from '../support.ts'
import { fixture } from './control-support.ts'

const note = (content: string) => ({ categoryId: 1, content })

async function contentsIn(sandbox: Parameters<typeof as>[0]): Promise<string[]> {
  const { items } = await as(sandbox, 'mara').get<Page<CustomerNote>>(notes)
  return items.slice(1).map(({ content }) => content)
}

it('a session starts from the dataset, and a reset affects only its own session', async () => {
  const sandbox = await openSandbox({ fixture })
  await as(sandbox, 'mara').post(notes, note('x'))
  const [one, two] = [sandbox.session(), sandbox.session()]
  expect(await contentsIn(one)).toEqual([])
  const first = await as(one, 'mara').post(notes, note('x'))
  await as(two, 'mara').post(notes, note('x'))
  await one.reset()
  expect([await contentsIn(sandbox), await contentsIn(one), await contentsIn(two)]).toEqual([
    ['x'],
    [],
    ['x'],
  ])
  // A reset session assigns the same ids again.
  expect(await as(one, 'mara').post(notes, note('x'))).toEqual(first)
  await sandbox.reset()
  expect([await contentsIn(sandbox), await contentsIn(two)]).toEqual([[], ['x']])
})

it('sessions have their own ids, the same in every run', async () => {
  const [first, again] = [await openSandbox({ fixture }), await openSandbox({ fixture })]
  const ids = [first.session().id, first.session().id]
  expect(new Set(ids).size).toBe(2)
  expect([again.session().id, again.session().id]).toEqual(ids)
})

it('a closed session rejects each use of its handle, also of parts that were taken before', async () => {
  const sandbox = await openSandbox({ fixture })
  const session = sandbox.session({ id: 'over' })
  const { clock, data, faults, gates, requests, scenarios } = session
  const [snapshot, state] = [session.snapshot(), await session.saveState()]
  session.close()
  const path = '/members/me'
  const uses: readonly (() => unknown)[] = [
    () => clock.now(),
    () => clock.advance('P1D'),
    () => clock.reset(),
    () => clock.events(),
    () => data.customers.get(1),
    () => data.customers.patch(1, { name: 'Tern & Co' }),
    () => faults.list(),
    () => faults.add({ status: 503 }),
    () => gates.list(),
    () => requests.list(),
    () => scenarios.list(),
    () => session.explain({ path, token: 'sbx_harbor_1' }),
    () => session.preview({ path, token: 'sbx_harbor_1' }),
    () => session.snapshot(),
    () => session.restore(snapshot),
    () => session.saveState(),
    () => session.restoreState(state),
    () => session.reset(),
  ]
  for (const use of uses) {
    const outcome = (async () => use())()
    await expect(outcome, `for ${String(use)}`).rejects.toMatchObject({
      code: 'not_found',
      message: 'Session over has been dropped. Open a new one.',
    })
  }
  await expectProblem(await as(session, 'mara').send(path), 'not_found')
  expect(session.id).toBe('over')
  expect(() => session.close()).not.toThrow()
})

it('a snapshot belongs to one sandbox and its dataset', async () => {
  const sandbox = await openSandbox({ size: 3 })
  const snapshot = sandbox.session().snapshot()
  const other = await openSandbox({ size: 3, seed: 7 })
  expect(() => other.session().restore(snapshot)).toThrow(/Cannot restore the snapshot/)
  await sandbox.reseed({ seed: 7 })
  const session = sandbox.session()
  expect(() => session.restore(snapshot)).toThrow(expect.objectContaining({ code: 'conflict' }))
  session.restore(session.snapshot())
})
