import { expect, it, vi } from 'vitest'

import { createControlDocument } from '../../src/control/openapi.ts'
import { runInSlices } from '../../src/core/slices.ts'
import type { SessionHandle } from '../../src/index.ts'
import { createLabControl } from '../../src/lab/control.ts'
import { createDataset } from '../../src/store/dataset.ts'
import { SessionData } from '../../src/store/session-data.ts'
import { forEachTable, type Row, type Rows } from '../../src/store/tables.ts'
import { noTexts } from '../../src/store/texts.ts'
import { change, createDatasetFile, member } from '../folders.ts'
import { as, expectProblem, openSandbox, tokens } from '../support.ts'

const home = '/v1/organizations/harbor'

/** Requests that read many records, or change one that many records may refer to. */
const requests: readonly (readonly [method: string, path: string, body: object | undefined])[] = [
  ['GET', `${home}/signals?scope=team`, undefined],
  ['GET', '/_sandbox/data/signals?limit=1', undefined],
  ['GET', '/_sandbox/data/briefContents?text=renewal', undefined],
  ['GET', '/_sandbox/data/notes/counts?by=category', undefined],
  ['GET', '/_sandbox/visibility', undefined],
  ['GET', '/_sandbox/find?q=900', undefined],
  ['DELETE', '/_sandbox/data/members/9', undefined],
  ['PUT', '/_sandbox/data/meetings/900001', { customerId: 90 }],
]

it.each(requests)('lets others run while %s %s generates records', async (method, path, body) => {
  // Sandboxes with the same data would share the records that are generated.
  const sandbox = await openSandbox({ size: 120, seed: 1_000 + requests.findIndex((one) => one[1] === path) })
  const headers = { authorization: `Bearer ${tokens.mara}`, 'content-type': 'application/json' }
  const send = (target: string, init: RequestInit = {}) => sandbox.fetch(target, { headers, ...init })
  // Loads the code, which lets others run, too.
  await send('/v1/members/me')
  await send('/_sandbox/data/members/0', { method: 'DELETE' })
  await send('/_sandbox/preview', { method: 'POST', body: '{}' })
  const others = await countOthers(async () => {
    const response = await send(path, { method, ...(body && { body: JSON.stringify(body) }) })
    expect(response.status).toBeLessThan(500)
  })
  expect(others).toBeGreaterThan(3)
})

/** Counts how often others may run during some work, on a stopwatch that moves with each look at it, not with the machine. */
async function countOthers(work: () => Promise<unknown>): Promise<number> {
  let others = 0
  let isOver = false
  const run = () => {
    others += 1
    if (!isOver) setImmediate(run)
  }
  setImmediate(run)
  let nowMs = performance.now()
  const stopwatch = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1))
  try {
    await work()
  } finally {
    stopwatch.mockRestore()
    isOver = true
  }
  return others
}

const leftDate = '2026-01-10T12:00:00.000Z'

it.each([
  ['session is dropped', 'not_found', async (session: SessionHandle) => session.close()],
  ['caller leaves', 'unauthorized', (session: SessionHandle) => session.data.members.patch(2, { leftDate })],
] as const)('refuses a read whose %s while records are generated: %s', async (_, code, act) => {
  const session = (await openSandbox({ size: 120, seed: code.length })).session()
  const theo = as(session, 'theo')
  await theo.get('/members/me')
  await countOthers(async () => {
    const reading = theo.send('/organizations/harbor/signals?scope=team')
    await act(session)
    await expectProblem(await reading, code)
  })
})

it('lets others run while it creates many records, which they may change meanwhile', async () => {
  const sandbox = await openSandbox({ size: 120 })
  const { data } = sandbox
  const many = Array.from({ length: 100 }, () => ({}))
  // Generates all other records.
  await sandbox.fetch('/_sandbox/data')
  await data.create({ customers: [{}], signals: [{}] })
  const others = await countOthers(() => data.create({ customers: many, signals: many }))
  expect(others).toBeGreaterThan(10)
  const creating = data.customers.create(many)
  const path = '/organizations/harbor/customers/1/notes'
  await countOthers(() => as(sandbox, 'mara').post(path, { categoryId: 1, content: 'Meanwhile' }))
  const [first] = await creating
  expect(await data.customers.get(first?.id ?? 0)).toEqual(first)
  expect((await data.customers.list({ limit: 1 })).totalCount).toBeGreaterThan(300)
})

it('lets others run while it presents, compares, deletes and restores many records that are there', async () => {
  const { data } = await openSandbox({ size: 120 })
  const many = Array.from({ length: 500 }, () => ({ customerId: 1 }))
  const calls = [
    () => data.meetings.list({ limit: 250 }),
    () => data.create({ customers: [{ id: 9_001 }], notes: many.map(() => ({ customerId: 9_001 })) }),
    () => data.changes({ by: 'control' }),
    () => data.customers.delete(9_001),
  ]
  await data.meetings.list()
  const others: number[] = []
  for (const call of calls) others.push(await countOthers(call))
  expect(Math.min(...others)).toBeGreaterThan(3)
})

it('lets others run while it lists, renders and undoes many changes, and describes the control plane', async () => {
  const sandbox = await openSandbox({ size: 120 })
  await sandbox.data.products.create(Array.from({ length: 150 }, () => ({})))
  const others: number[] = []
  // The sandboxes of a process share the document.
  others.push(await countOthers(() => runInSlices(createControlDocument(createLabControl().routes))))
  for (const call of ['GET /state', 'GET /data/changes', 'DELETE /data/changes']) {
    const [method = '', path = ''] = call.split(' ')
    others.push(
      await countOthers(async () => {
        expect((await sandbox.fetch(`/_sandbox${path}`, { method })).status).toBe(200)
      }),
    )
  }
  expect(Math.min(...others)).toBeGreaterThan(5)
})

it('lists more records than a function may have arguments, if one of them has changed', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => member(index + 1))
  const { key, organizations } = createDatasetFile()
  const all = { ...forEachTable<Rows>(() => []), members: rows }
  const dataset = createDataset(key, { organizations, rows: all }, noTexts)
  const data = new SessionData(() => dataset)
  data.load([change(2)])
  expect(data.select('members', []).page()).toHaveLength(rows.length)
})

const note: Omit<Row<'notes'>, 'id'> = {
  organizationId: 'harbor',
  customerId: 1,
  categoryId: 1,
  content: 'A note',
  createdById: 1,
  createdDate: '2026-01-15T12:00:00.000Z',
  updatedDate: '2026-01-15T12:00:00.000Z',
}

function* failToGenerate(): Generator<undefined, never> {
  yield undefined
  throw new Error('generated')
}

it('creates records above those that are yet to be generated without generating any', async () => {
  const notes = {
    generate: failToGenerate,
    find: failToGenerate,
    listLastIds: () => [7, 12, Number.MAX_SAFE_INTEGER],
  }
  const { key, organizations } = createDatasetFile()
  const rows = { ...forEachTable<Rows>(() => []), notes }
  const dataset = createDataset(key, { organizations, rows }, noTexts)
  const data = new SessionData(() => dataset)
  const create = () => {
    const id = data.nextId('notes')
    return data.change(() => ({ changes: [{ table: 'notes', id, row: { id, ...note } }], result: id }))
  }
  expect([await create(), await create()]).toEqual([13, 14])
  expect(() => data.isTaken('notes', 12)).toThrow('generated')
})
