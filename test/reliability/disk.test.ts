import * as fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'

import { type OpenSandbox, openSandbox } from '../../src/sandbox/sandbox.ts'
import { copyAsKilled, openStorage, temporaryFolder } from '../folders.ts'
import { as, control, createJsonPost } from '../support.ts'
import { type Orders, simulateDisk } from './disk.ts'
import { chooseAmount } from './figures.ts'

vi.mock('node:fs', async () => (await import('./disk.ts')).createFs())
vi.mock('node:fs/promises', async () => (await import('./disk.ts')).createFsPromises())
// A start waits for a lock that was written by half.
vi.mock('node:timers/promises', () => ({ setTimeout: () => new Promise(setImmediate) }))

type Act = (sandbox: OpenSandbox) => Promise<Response>

const call =
  (method: string, path: string, body?: unknown): Act =>
  (sandbox) =>
    control(sandbox, method, path, body)

/** Adds what acts on the next request, and sends that request. */
const readWith =
  (path: string, cause: object): Act =>
  async (sandbox) => {
    sandbox.scenarios.clear()
    await control(sandbox, 'POST', path, cause)
    const response = await as(sandbox, 'mara').send('/organizations/harbor/customers?limit=3')
    await control(sandbox, 'DELETE', '/clock/tick')
    return response
  }

const note = { categoryId: 1, content: 'A note' }
const writeNote: Act = (sandbox) =>
  as(sandbox, 'mara').send('/organizations/harbor/customers/1/notes', createJsonPost(note))
const many = Array.from({ length: 20 }, () => ({ customerId: 2, content: 'x'.repeat(9_999) }))

/** Restores a state over the first dataset, with a change and another time. */
const restoreState: Act = async (sandbox) => {
  const saved = await openSandbox({ size: 3 })
  saved.clock.set('2026-05-01T00:00Z')
  await saved.data.customers.patch(2, { name: 'Restored' })
  return control(sandbox, 'PUT', '/state', await saved.saveState())
}

const acts: Readonly<Record<string, Act>> = {
  note: writeNote,
  notes: call('POST', '/data/notes', many),
  patch: call('PATCH', '/data/customers/1', { name: 'Patched' }),
  put: call('PUT', '/data/notes/900', { customerId: 1 }),
  delete: call('DELETE', '/data/notes/900'),
  'delete with parts': call('DELETE', '/data/customers/3'),
  undo: call('DELETE', '/data/changes/customers/3'),
  'undo all': call('DELETE', '/data/changes'),
  clock: call('PUT', '/clock', { now: '2026-02-01T00:00Z' }),
  advance: call('POST', '/clock/advance', { by: 'P1D' }),
  'clock back': call('DELETE', '/clock'),
  tick: readWith('/clock/tick', { by: 'PT5M' }),
  scenario: readWith('/scenarios', { name: 'change-while-reading' }),
  ties: readWith('/scenarios', { name: 'bulk-update-ties', count: 3 }),
  state: restoreState,
  reset: call('POST', '/reset'),
  reseed: call('POST', '/reseed', { seed: 7 }),
}

/** Reads what is stored: the dataset, the time and all changes. */
async function readState(sandbox: OpenSandbox): Promise<string> {
  const { dataset, clock, changes } = await sandbox.saveState()
  return JSON.stringify({ dataset, clock, changes })
}

/** Opens a folder, which the simulated disk has. */
async function open(folder: string, orders: Orders = {}) {
  const disk = simulateDisk(folder)
  disk.order(orders)
  const storage = await openStorage(folder)
  onTestFinished(() => storage.close())
  try {
    return { disk, storage, sandbox: await openSandbox({ size: 3 }, { storage }) }
  } catch (error) {
    await storage.close()
    throw error
  }
}

const anyFailure = fc.record({
  // Most writes have two operations.
  at: fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 12 })),
  kind: fc.constantFrom('error', 'lasting', 'full', 'done', 'kill', 'power'),
})
const anyStep = fc.record({
  name: fc.constantFrom(...Object.keys(acts)),
  failure: fc.option(anyFailure, { freq: 3, nil: undefined }),
  /** Whether a failure is in the next start instead. */
  isStart: fc.boolean(),
  kept: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
})
type Step = Parameters<Parameters<typeof anyStep.map>[0]>[0]

type Failure = NonNullable<Step['failure']>

/** Reports whether a process ends, by a kill or a power loss. */
const isEnd = ({ kind }: Failure): boolean => kind === 'kill' || kind === 'power'

const toOrders = ({ at, kind }: Failure): Orders =>
  isEnd({ at, kind })
    ? { stopAt: at }
    : {
        failAt: at,
        code: kind === 'full' ? 'ENOSPC' : 'EIO',
        lasts: kind === 'lasting' || kind === 'full',
        isDone: kind === 'done',
      }

const counts = { refused: 0, kills: 0, losses: 0, starts: 0 }

const failNote = (kind: Failure['kind'], isStart = false): Step => ({
  name: 'note',
  failure: { at: 1, kind },
  isStart,
  kept: [],
})

/** Expects a problem that says neither a path nor a stack. */
async function expectRejection(response: Response, status: number): Promise<void> {
  expect([response.status, response.headers.get('content-type')]).toEqual([
    status,
    'application/problem+json',
  ])
  const text = await response.text()
  expect(text).toMatch(/^\{"type":(?!.*(?:workspace-sandbox-|\n {4}at ))/)
  if (status === 507) expect(text).toContain('the disk is full. Free some space and try again.')
}

const expectAgreement = (response: Response, other: Response): void =>
  expect(other.status).toBe(response.status)

const expectSuccess = ({ status }: Response): void => expect(status).toBe(200)

const expectStartError = (error: Error): void =>
  expect(String(error)).toMatch(/^SandboxError: Cannot [^\n]*(?:json|folder|disk)[^\n]*\.$/)

/** Runs steps on a folder and on a sandbox in memory, and expects them to agree. */
async function check(steps: readonly Step[]): Promise<void> {
  const twin = await openSandbox({ size: 3 })
  let opened = await open(temporaryFolder())
  /** Ends the process, as a kill or a power loss would, and starts on the folder that is left. */
  const restart = async (step: Step, pending?: Act) => {
    const { disk, storage } = opened
    disk.order({ stopAt: 1 })
    const isLoss = step.failure?.kind === 'power'
    counts[isLoss ? 'losses' : 'kills'] += 1
    const kept = [...step.kept]
    let left = temporaryFolder()
    if (isLoss) disk.leave(left, () => kept.pop() ?? false)
    else left = copyAsKilled(disk.folder)
    await storage.close().catch(() => undefined)
    expect(disk.unsynced).toEqual([])
    if (step.isStart && step.failure) {
      const failed = await open(left, { ...toOrders(step.failure), failsReads: true }).catch(
        (error: unknown) => error,
      )
      if (failed instanceof Error) {
        counts.starts += 1
        if (!isEnd(step.failure)) expectStartError(failed)
      }
      left = copyAsKilled(left)
    }
    opened = await open(left)
    const state = await readState(opened.sandbox)
    if (pending && state !== (await readState(twin))) await pending(twin)
    expect(state).toBe(await readState(twin))
  }
  for (const step of steps) {
    const act = acts[step.name] ?? writeNote
    const { failure, isStart } = step
    opened.disk.order(failure && !isStart ? { ...toOrders(failure), failsReads: true } : {})
    const response = await act(opened.sandbox)
    if (failure && !isStart && isEnd(failure)) {
      if (response.ok && opened.disk.count < failure.at) await act(twin)
      await restart(step, opened.disk.count < failure.at ? undefined : act)
      continue
    }
    opened.disk.order({})
    // There may be nothing to delete or to undo.
    if (response.ok || response.status === 404) expectAgreement(response, await act(twin))
    else {
      counts.refused += 1
      await expectRejection(response, failure?.kind === 'full' ? 507 : 503)
    }
    expect(await readState(opened.sandbox)).toBe(await readState(twin))
    expectSuccess(await as(opened.sandbox, 'mara').send('/members/me'))
    // A tick that could not be stored is stored with the next write.
    if (failure && !isStart) {
      for (const each of [opened.sandbox, twin]) expectSuccess(await writeNote(each))
    }
    if (failure && isStart) await restart(step)
  }
  await restart(failNote('power'))
  await opened.storage.close()
}

it(
  'loses no acknowledged write, stores nothing of a rejected one, and has the state before or after one that ends halfway, whatever the disk does',
  { timeout: 1_800_000 },
  async ({ annotate }) => {
    const steps = fc.array(anyStep, { minLength: 4, maxLength: 12 })
    await fc.assert(fc.asyncProperty(steps, check), {
      // Few random steps may lack one of these.
      examples: [[[failNote('full'), failNote('kill'), failNote('error', true)]]],
      numRuns: chooseAmount(5, 1_000),
      endOnFailure: true,
    })
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0)
    await annotate(JSON.stringify(counts))
  },
)

it('frees a full disk by a reset, which happens as a whole or not at all', async () => {
  const reset = call('POST', '/reset')
  const states = new Set<string>()
  for (let stopAt = 1; stopAt <= 7; stopAt += 1) {
    const { disk, storage, sandbox } = await open(temporaryFolder())
    const unchanged = await readState(sandbox)
    await writeNote(sandbox)
    const written = await readState(sandbox)
    disk.order({ failAt: 1, code: 'ENOSPC', lasts: true, stopAt })
    const { ok } = await reset(sandbox)
    const left = temporaryFolder()
    disk.leave(left, () => !ok && stopAt % 2 === 0)
    await storage.close().catch(() => undefined)
    const after = await open(left)
    const state = await readState(after.sandbox)
    expect(ok ? [unchanged] : [unchanged, written]).toContain(state)
    expectSuccess(await writeNote(after.sandbox))
    expect(await readState(after.sandbox)).toContain('A note')
    states.add(ok ? 'reset' : state)
    await after.storage.close()
  }
  expect(states.size).toBe(3)
})
