import { expect, it } from 'vitest'

import { expectBelow, formatMegabytes } from './figures.ts'
import { connected, notes } from './raw-http.ts'
import { forEach, serveWithClient } from './server.ts'

const customers = '/v1/organizations/harbor/customers'
const MiB = 1_048_576

it('keeps the last thousand requests, in a heap too small for all of them', async (context) => {
  const [heap, count] = [128, 9_000]
  const { call, child, memory } = await serveWithClient(heap)
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
  await expectBelow(context, 'memory of the journal', kept, 16 * MiB, formatMegabytes)
})

it('buffers nothing for a client that stops reading its event stream', async (context) => {
  const { url, call, memory } = await serveWithClient()
  // Every event contains the whole URL.
  const path = `/v1/members/me?x=${'x'.repeat(15_000)}`
  const count = 6_000
  const play = async () => {
    await forEach(count, () => call('GET', path))
    return memory()
  }
  const before = await play()
  const reader = await connected(url)
  reader.socket.pause()
  reader.send('GET /_sandbox/requests/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const after = await play()
  const grown = Math.max(after.live - before.live, 0)
  await expectBelow(context, 'cost of a stalled reader', grown, 10 * MiB, formatMegabytes)
})

it('keeps at most 16 MB of large responses, including those of faults', async () => {
  const { call, memory } = await serveWithClient()
  await call('POST', '/_sandbox/faults', undefined, { status: 200, body: 'x'.repeat(1_000_000) })
  const before = (await memory()).live
  await forEach(150, () => call('GET', '/v1/members/me'))
  expect((await memory()).live - before).toBeLessThan(24 * MiB)
  expect(JSON.parse(await call('GET', '/_sandbox/requests?bodies=false')).totalCount).toBe(150)
})

it('keeps at most 16 MB of pages that an arranged record changed', async () => {
  const { call, memory } = await serveWithClient(undefined, ['--size', 'medium'])
  await call('GET', `${customers}?limit=250`)
  await call('PATCH', '/_sandbox/data/members/1', undefined, { firstName: 'Maria' })
  const before = (await memory()).live
  await forEach(120, () => call('GET', `${customers}?limit=250`))
  expect((await memory()).live - before).toBeLessThan(24 * MiB)
})

/** Builds a URL for all customers with a query of its own. */
const buildPageUrl = (number: number) =>
  `${customers}?limit=250&updatedSince=${2000 - number}-01-01T00:00:00Z`

it('frees a page that the response cache evicts', async () => {
  const { call, memory } = await serveWithClient(undefined, ['--size', 'medium'])
  await call('GET', buildPageUrl(0))
  const before = (await memory()).live
  await forEach(120, async (number) => {
    for (let time = 0; time < 4; time += 1) await call('GET', buildPageUrl(number))
  })
  // The cache itself may take 24 MB; all of these pages together take 42 MB.
  expect((await memory()).live - before).toBeLessThan(32 * MiB)
})

it('keeps nothing of an event stream that was requested with HEAD', async () => {
  const { call, memory } = await serveWithClient()
  const count = 20_000
  const play = () => forEach(count, () => call('HEAD', '/_sandbox/requests/stream'))
  await play()
  const before = (await memory()).live
  await play()
  expect((await memory()).live - before).toBeLessThan(Math.min(2 * MiB, 1_500 * count))
})

it('keeps nothing of an event stream whose session is deleted', async () => {
  const { url, call, memory } = await serveWithClient()
  const count = 3_000
  const play = () =>
    forEach(count, async (number) => {
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
  expect((await memory()).live - before).toBeLessThan(Math.min(MiB, 3_500 * count))
})
