import { isDeepStrictEqual } from 'node:util'

import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { SandboxError, type SessionHandle } from '../../src/index.ts'
import { findValues, listReferences } from '../../src/store/references.ts'
import { type TableName, tableNames } from '../../src/store/tables.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { openSandbox } from '../support.ts'

type Listed = Readonly<Record<string, unknown>> & { readonly id: number; readonly organizationId: string }

/** A step of a session, with numbers that choose among the records that are there. */
const anyStep = fc.record({
  act: fc.constantFrom(
    ...(['move', 'back', 'delete', 'create', 'patch', 'give', 'undo', 'recreate'] as const),
    ...(['move', 'delete', 'create', 'give', 'undoAll', 'reset'] as const),
  ),
  table: fc.constantFrom(...tableNames),
  one: fc.nat(),
  other: fc.nat(),
})
type Step = Parameters<Parameters<typeof anyStep.map>[0]>[0]

const DAYS = [0, 1, 2, 5, 9, 30, 90] as const
const START = Date.parse('2026-01-15T12:00:00.000Z')

/** Records come, change and go with time, besides those that live: definitions and automations as well. */
const timeline = [
  {
    at: 'now+1d',
    products: [{ id: 9_001, key: 'late' }],
    members: [{ id: 9_001 }],
    briefs: [{ id: 9_001, key: 'late' }],
  },
  {
    at: 'now+2d',
    automations: [
      { id: 9_001, parentId: 1 },
      { id: 9_002, parentId: 9_001 },
    ],
  },
  { at: 'now+2d', customers: [{ id: 9_001 }], signals: [{ id: 9_001, customerId: 9_001, ownerId: 9_001 }] },
  { at: 'now+9d', delete: { automations: [1], customers: [9_001] } },
]
const sandbox = openSandbox({ size: 3, future: 'living', fixture: { name: 'moving', timeline } })

/** The most records of a collection that are looked at: all, but for some logs. */
const limit = 120

const list = async ({ data }: SessionHandle, table: TableName): Promise<readonly Listed[]> =>
  (await data[table].list({ limit })).items as readonly object[] as readonly Listed[]

const choose = <T>(items: readonly T[], number: number): T | undefined => items[number % items.length]

async function take(step: Step, session: SessionHandle): Promise<unknown> {
  const { act, table, one, other } = step
  const { data, clock } = session
  if (act === 'move') return clock.set(new Date(START + (choose(DAYS, one) ?? 0) * 86_400_000).toISOString())
  if (act === 'back') return clock.reset()
  if (act === 'reset') return session.reset()
  if (act === 'undoAll') return data.undoAll()
  if (act === 'undo' || act === 'recreate') {
    const changes = await listChanges(session)
    const change = choose(changes, one)
    if (!change) return undefined
    if (act === 'undo') {
      await data.undo(change.collection, change.id)
      const left = (await listChanges(session)).filter((found) => isDeepStrictEqual(found, change))
      if (left.length > 0) throw new Error(`the change is still there: ${JSON.stringify(change)}`)
      return undefined
    }
    return data[change.collection].put(
      { id: change.id },
      { organizationId: choose(['harbor', 'quill'], other) ?? '' },
    )
  }
  const reference = choose(
    listReferences(table).filter(({ path }) => path.length === 1),
    one,
  )
  const owners = reference ? await list(session, reference.table) : []
  const owner = choose(owners, other)
  const field = reference && owner ? { [reference.path.join()]: owner.id } : {}
  if (act === 'create') return data[table].create([field])
  const record = choose(await list(session, table), one)
  if (!record) return undefined
  if (act === 'delete') return data[table].delete(record.id)
  if (act === 'give') return data[table].patch(record.id, field)
  const [member] = await list(session, 'members')
  const patch = { customers: { memberRoles: [{ key: 'csm', memberIds: [owner?.id ?? member?.id] }] } }
  return data[table].patch(
    record.id,
    Reflect.get(patch, table) ?? { name: `Name ${one}`, summary: `Text ${one}` },
  )
}

/** Undoes everything, and expects the records of a session in which nothing has happened. */
async function checkUndone(session: SessionHandle, untouched: SessionHandle): Promise<void> {
  await session.data.undoAll()
  untouched.clock.set(session.clock.now())
  for (const table of tableNames) expect(await list(session, table)).toEqual(await list(untouched, table))
}

/** Throws an error, unless it says that a write was refused. */
function throwIfBroken(error: unknown): void {
  if (!(error instanceof SandboxError) || error.code === 'internal_error') throw error
}

/** Finds what no record may name: a record that is not there, or one of another organization. */
function findDangling(rows: ReadonlyMap<TableName, readonly Listed[]>): string[] {
  const ids = new Map(
    Array.from(rows, ([table, all]) => [table, new Map(all.map((row) => [row.id, row.organizationId]))]),
  )
  const keys = new Map(
    Array.from(rows, ([table, all]) => [
      table,
      new Set(all.map((row) => `${row.organizationId} ${JSON.stringify(row['key'])}`)),
    ]),
  )
  return Array.from(rows).flatMap(([table, all]) =>
    all.flatMap((row) =>
      listReferences(table).flatMap(({ table: target, path, by }) =>
        findValues(row, path).flatMap(({ place, value }) => {
          if (value === undefined || value === null) return []
          const isThere =
            by === 'id'
              ? ids.get(target)?.get(Number(value)) === row.organizationId
              : keys.get(target)?.has(`${row.organizationId} ${JSON.stringify(value)}`)
          return isThere ? [] : [`${place} ${JSON.stringify(value)} of ${table} ${row.id}`]
        }),
      ),
    ),
  )
}

/** Lists all that a session has written, also what is not there at this time. */
async function listChanges(session: SessionHandle) {
  const { changes } = await session.saveState()
  return changes.flatMap(({ table, id }) => {
    const collection = tableNames.find((name) => name === table)
    return collection ? [{ collection, id }] : []
  })
}

async function check(session: SessionHandle): Promise<void> {
  const rows = new Map<TableName, readonly Listed[]>()
  for (const table of tableNames) rows.set(table, await list(session, table))
  expect(findDangling(rows)).toEqual([])
  for (const { collection: table, id } of await listChanges(session)) {
    const listed = rows.get(table) ?? []
    if (listed.length === limit) continue
    const isListed = listed.some((row) => row.id === id)
    const isFound = await session.data[table].get(id).then(
      () => true,
      () => false,
    )
    expect(isFound, `${table} ${id}`).toBe(isListed)
  }
  const members = rows.get('members') ?? []
  const caller = members.find((row) => row.organizationId === 'harbor')
  for (const table of ['customers', 'signals', 'meetings', 'notes'] as const) {
    if (!caller) continue
    const own = (rows.get(table) ?? []).filter((row) => row.organizationId === 'harbor')
    const { items } = await session.sync.truth(table, { as: caller.id })
    expect(items.map((row) => row['id'])).toEqual(own.map((row) => row.id))
  }
}

it(
  'shows no record without those that it names, restores what it has saved, and undoes everything, whatever happens in a session',
  { timeout: 3_600_000 },
  async () => {
    const opened = await sandbox
    const steps = fc.array(anyStep, { minLength: 3, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom('living', 'living', 'still'), async (all, future) => {
        const session = opened.session({ future })
        const copy = opened.session()
        const untouched = opened.session({ future })
        try {
          for (const step of all) {
            await take(step, session).catch(throwIfBroken)
          }
          await check(session)
          const state = await session.saveState()
          await copy.restoreState(state)
          expect(await copy.saveState()).toEqual(state)
          copy.clock.reset()
          await check(copy)
          await checkUndone(session, untouched)
        } finally {
          for (const one of [session, copy, untouched]) one.close()
        }
      }),
      { numRuns: chooseAmount(12, 5_000) },
    )
  },
)
