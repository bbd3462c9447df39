import { expect, it } from 'vitest'

import { expectBelow, formatMegabytes } from './figures.ts'
import { notes } from './raw-http.ts'
import { forEach, serveWithClient } from './server.ts'

const formatBytes = (bytes: number): string => `${bytes.toFixed(0)} bytes`

it('uses little memory for a session, and frees it', async (context) => {
  const { call, memory } = await serveWithClient()
  const open = (id: string) => call('POST', '/_sandbox/sessions', undefined, { id })
  const use = async (id: string) => {
    await call('GET', '/v1/members/me', id)
    await call('GET', notes, id)
    await call('POST', notes, id, { categoryId: 1, content: `In ${id}` })
    await call('PUT', '/_sandbox/data/customers/1', id, { name: id })
    await call('POST', '/_sandbox/faults', id, { operationId: 'getCurrentMember', status: 200, times: 1 })
    await call('POST', '/_sandbox/clock/advance', id, { by: 'P1D' })
    await call('GET', '/v1/members/me', id)
  }
  const remove = (id: string) => call('DELETE', `/_sandbox/sessions/${id}`)
  const count = 1_000
  // A first round, so that one-time allocations are done.
  for (const work of [open, use, remove]) await forEach(count, (number) => work(`s${number}`))

  // Several rounds, since what the runtime itself keeps comes and goes by more than a round leaves.
  const rounds = 3
  const bytes = { idle: 0, used: 0, freed: 0 }
  let live = (await memory()).live
  const grow = async () => {
    const before = live
    live = (await memory()).live
    return (live - before) / count / rounds
  }
  for (let round = 1; round <= rounds; round++) {
    await forEach(count, (number) => open(`s${number}`))
    bytes.idle += await grow()
    await forEach(count, (number) => use(`s${number}`))
    bytes.used += await grow()
    await forEach(count, (number) => remove(`s${number}`))
    bytes.freed -= await grow()
  }

  await expectBelow(context, 'idle session', bytes.idle, 10_000, formatBytes)
  await expectBelow(context, 'used session', bytes.used, 50_000, formatBytes)
  const kept = 1 - bytes.freed / (bytes.idle + bytes.used)
  await expectBelow(context, 'kept after deletion', kept, 0.15, (share) => `${(share * 100).toFixed(1)} %`)
})

it('limits its memory if sessions are opened and never deleted, and keeps the one in use', async ({
  annotate,
}) => {
  // More than the heap can hold.
  const [heap, count, length] = [160, 9_000, 40_000]
  const { call, child, memory } = await serveWithClient(heap)
  await call('POST', '/_sandbox/sessions', undefined, { id: 'in-use' })
  await call('POST', notes, 'in-use', { categoryId: 1, content: 'Of the one in use' })
  const faults = { operationId: 'listMembers', status: 503, body: { text: 'x'.repeat(length) } }
  await forEach(count, async (number) => {
    await call('POST', '/_sandbox/sessions', undefined, { id: `s${number}`, faults })
    if (number % 10 === 0) await call('GET', '/v1/members/me', 'in-use')
  })
  expect(child.exitCode).toBeNull()
  expect(await call('GET', notes, 'in-use')).toContain('Of the one in use')
  await annotate(`${formatMegabytes((await memory()).live)} live`)
})

const customers = '/v1/organizations/harbor/customers?limit=250'

/** Runs work for each session, round after round. */
async function takeTurns(ids: readonly string[], rounds: number, work: (id: string) => Promise<unknown>) {
  for (let round = 0; round < rounds; round += 1) await Promise.all(ids.map(work))
}

const createNames = (count: number) => Array.from({ length: count }, (_, index) => `s${index + 1}`)

it('keeps eight sessions that take turns with the largest pages', async () => {
  const { call } = await serveWithClient(undefined, ['--size', 'medium'])
  const ids = createNames(8)
  for (const id of ids) await call('POST', '/_sandbox/sessions', undefined, { id })
  await takeTurns(ids, 40, (id) => call('GET', customers, id))
  for (const id of ids) {
    const { items } = JSON.parse(await call('GET', '/_sandbox/requests?bodies=false', id))
    expect(items).toHaveLength(40)
  }
})

it('uses little more memory for sessions that override assumptions in different ways', async (context) => {
  const { call, child, memory } = await serveWithClient(160)
  const signals = '/v1/organizations/harbor/signals'
  const open = async (id: string) => {
    const assumptions = { signalStatuses: ['open', 'inProgress', 'closed', id] }
    await call('POST', '/_sandbox/sessions', undefined, { id, assumptions })
    await call('GET', `${signals}?limit=1`, id)
  }
  // A first batch, so that the caches for a few of them are filled.
  await forEach(100, (number) => open(`early-${number}`))
  const before = (await memory()).live
  const count = 3_000
  await forEach(count, (number) => open(`late-${number}`))
  expect(child.exitCode).toBeNull()
  const each = ((await memory()).live - before) / count
  await expectBelow(context, 'session with assumptions of its own', each, 25_000, formatBytes)
  for (const id of ['early-1', `late-${count}`]) {
    const { items } = JSON.parse(await call('GET', `${signals}?limit=250`, id))
    expect(items.map(({ status }: { status: string }) => status)).toContain(id)
  }
})
