import { expect, it } from 'vitest'

import { connected } from '../doors/raw-http.ts'
import { forEach, serveCalls } from './calling.ts'
import { amount, megabytes, tell } from './figures.ts'
import { notes } from './heads.ts'

const customers = '/v1/organizations/harbor/customers'
const MiB = 1_048_576

const long = { timeout: 120_000 }

it('keeps the last thousand requests, in a heap that does not hold all of them', long, async (context) => {
  const [heap, count] = [128, amount(2_500, 9_000)]
  const { call, child, memory } = await serveCalls(heap)
  const body = JSON.stringify({ categoryId: 1, content: 'A note' }).padEnd(68 * 1_024)
  await forEach(count, () => call('POST', notes, undefined, body))
  expect(child.exitCode).toBeNull()
  const { items, totalCount } = JSON.parse(await call('GET', '/_sandbox/requests'))
  expect(items).toHaveLength(1_000)
  expect(totalCount).toBe(1_000)
  expect(items.at(-1).id).toBe(count)
  const full = (await memory()).live
  await call('DELETE', '/_sandbox/requests')
  const kept = full - (await memory()).live
  tell(context, 'journal', '≤ 1,000 entries and ≤ 16 MB', `${totalCount} entries, ${megabytes(kept)}`)
  tell(context, 'journal', '9,000 × 68 KB in a 128 MB heap: alive', `${count}: alive`)
  expect(kept).toBeLessThanOrEqual(16 * 1_048_576)
})

it('keeps nothing for a reader of events that has stopped reading', long, async (context) => {
  const { url, call, memory } = await serveCalls()
  // Every event tells of the whole address.
  const path = `/v1/members/me?x=${'x'.repeat(6_000)}`
  const count = amount(2_000, 6_000)
  const play = async () => {
    await forEach(count, () => call('GET', path))
    return memory()
  }
  const before = await play()
  const reader = await connected(url)
  reader.pause()
  reader.send('GET /_sandbox/requests/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const after = await play()
  const grown = Math.max(after.live - before.live, 0)
  tell(context, 'journal', 'a stalled SSE reader costs < 10 MB', megabytes(grown))
  expect(grown).toBeLessThan(10 * 1_048_576)
})

it('keeps 16 MB of large responses at most, a fault\u2019s among them', long, async () => {
  const { call, memory } = await serveCalls()
  await call('POST', '/_sandbox/faults', undefined, { status: 200, body: 'x'.repeat(1_000_000) })
  const before = (await memory()).live
  await forEach(150, () => call('GET', '/v1/members/me'))
  expect((await memory()).live - before).toBeLessThan(24 * MiB)
  expect(JSON.parse(await call('GET', '/_sandbox/requests?bodies=false')).totalCount).toBe(150)
})

it('keeps 16 MB of pages at most that an arranged record made anew', long, async () => {
  const { call, memory } = await serveCalls(undefined, ['--size', 'medium'])
  await call('GET', `${customers}?limit=250`)
  await call('PATCH', '/_sandbox/data/members/1', undefined, { firstName: 'Maria' })
  const before = (await memory()).live
  await forEach(120, () => call('GET', `${customers}?limit=250`))
  expect((await memory()).live - before).toBeLessThan(24 * MiB)
})

/** All customers, under a query of its own. */
const page = (number: number) => `${customers}?limit=250&updatedSince=${2000 - number}-01-01T00:00:00Z`

it('holds no page that the response cache has given up', long, async () => {
  const { call, memory } = await serveCalls(undefined, ['--size', 'medium'])
  await call('GET', page(0))
  const before = (await memory()).live
  await forEach(120, async (number) => {
    for (let time = 0; time < 4; time += 1) await call('GET', page(number))
  })
  // The cache itself may take 24 MB; all of these pages together take 42 MB.
  expect((await memory()).live - before).toBeLessThan(32 * MiB)
})

it('keeps nothing of a stream of events that only its head was asked of', long, async () => {
  const { call, memory } = await serveCalls()
  const play = () => forEach(amount(2_000, 20_000), () => call('HEAD', '/_sandbox/requests/stream'))
  await play()
  const before = (await memory()).live
  await play()
  expect((await memory()).live - before).toBeLessThan(2 * MiB)
})

it('keeps nothing of a stream of events whose session is deleted', long, async () => {
  const { url, call, memory } = await serveCalls()
  const play = () =>
    forEach(amount(300, 3_000), async (number) => {
      const id = `watched-${number}`
      await call('POST', '/_sandbox/sessions', undefined, { id })
      const stream = await fetch(`${url}/_sandbox/requests/stream`, { headers: { 'sandbox-session': id } })
      const text = stream.text()
      await call('DELETE', `/_sandbox/sessions/${id}`)
      expect(await text).toContain('the journal, live')
    })
  await play()
  const before = (await memory()).live
  await play()
  expect((await memory()).live - before).toBeLessThan(MiB)
})
