import { expect, test } from 'vitest'

import type { FaultInput } from '../../src/control/faults/input.ts'
import type { RunningSandbox } from '../../src/node.ts'
import { temporaryFolder } from '../folders.ts'
import { as, type Client, expectInvalid, openSandbox, type Page, posted } from '../support.ts'
import { serve } from './control-support.ts'

const notes = '/organizations/harbor/customers/1/notes'
const note = (content: string) => posted({ categoryId: 1, content })

/** The notes of customer 1 as texts. */
async function contents(client: Client): Promise<string[]> {
  const { items } = await client.get<Page<{ readonly content: string }>>(`${notes}?limit=250`)
  return items.map(({ content }) => content)
}

/** Sends a request and reads its answer; the status, or what went wrong. */
async function outcome(client: Client, path: string, init: RequestInit): Promise<number | string> {
  try {
    const response = await client.send(path, init)
    await response.text()
    return response.status
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  }
}

/** A member who calls a server. */
const over = ({ url }: RunningSandbox): Client =>
  as({ fetch: (request) => fetch(request.url.replace('http://sandbox', url), copyOf(request)) }, 'mara')

/** A request's own parts, for another address. */
function copyOf({ method, headers, body, signal }: Request): RequestInit {
  return { method, headers, body, signal, ...(body && { duplex: 'half' }) }
}

/** What breaks an answer, and what a client then sees. */
const broken: readonly (readonly [FaultInput, seen: number | string])[] = [
  [{ reset: true }, 'fetch failed'],
  [{ malfunction: 'reset' }, 'fetch failed'],
  [{ malfunction: 'empty' }, 'fetch failed'],
  [{ malfunction: 'truncate' }, 'terminated'],
  [{ malfunction: 'malformed' }, 200],
  [{ status: 503 }, 503],
  [{ sequence: [504] }, 504],
]

test.each(broken)('%j with stored loses the answer of a POST, and keeps its note', async (effect, seen) => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  const before = await contents(mara)
  sandbox.faults.add({ ...effect, stored: true, times: 1 })
  expect(await outcome(mara, notes, note('Kept'))).toBe(seen)
  expect(await contents(mara)).toEqual([...before, 'Kept'])
})

test.each(broken)('%j with stored does the same over HTTP', async (effect, seen) => {
  const server = await serve()
  const mara = over(server)
  const before = await contents(mara)
  const added = await fetch(`${server.url}/_sandbox/faults`, posted({ ...effect, stored: true, times: 1 }))
  expect(await added.json()).toMatchObject({ stored: true, left: 1 })
  expect(await outcome(mara, notes, note('Kept'))).toBe(seen)
  expect(await contents(mara)).toEqual([...before, 'Kept'])
})

test('a hang with stored keeps the note before the client gives up', async () => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  const before = await contents(mara)
  sandbox.faults.add({ method: 'POST', malfunction: 'hang', stored: true })
  const given = new AbortController()
  const posting = outcome(mara, notes, { ...note('Kept'), signal: given.signal })
  await expect.poll(() => contents(mara)).toEqual([...before, 'Kept'])
  given.abort(new Error('gave up'))
  expect(await posting).toBe('gave up')
})

test('a note whose answer was lost is there after a restart', async () => {
  const data = temporaryFolder()
  const first = await serve({ data })
  first.sandbox.faults.add({ reset: true, stored: true, times: 1 })
  expect(await outcome(over(first), notes, note('Kept'))).toBe('fetch failed')
  await first.close()
  expect(await contents(over(await serve({ data })))).toContain('Kept')
})

test('without stored, and with stored: false, a broken POST stores nothing', async () => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  const before = await contents(mara)
  sandbox.faults.addAll([
    { reset: true, times: 1 },
    { malfunction: 'truncate', stored: false, times: 1 },
  ])
  expect(await outcome(mara, notes, note('Lost'))).toBe('fetch failed')
  expect(await outcome(mara, notes, note('Lost'))).toBe('terminated')
  expect(await contents(mara)).toEqual(before)
})

test('what the service refuses is not stored, and its answer is lost all the same', async () => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  const before = await contents(mara)
  sandbox.faults.add({ status: 503, stored: true, times: 1 })
  expect(await outcome(mara, notes, posted({ categoryId: 1 }))).toBe(503)
  expect(await contents(mara)).toEqual(before)
})

test('the journal shows who posted what, and that a fault answered', async () => {
  const sandbox = await openSandbox()
  sandbox.faults.add({ malfunction: 'reset', stored: true, times: 1 })
  await outcome(as(sandbox, 'mara'), notes, note('Kept'))
  const [entry] = sandbox.requests.list()
  expect(entry).toMatchObject({ status: 'reset', fault: 'fault-1', caller: { id: 1 } })
  expect(entry?.request.body).toContain('Kept')
})

test.each([
  [{ delayMs: 5, stored: true }, 'needs status or sequence or malfunction or reset'],
  [{ rateLimit: { requests: 1, windowSeconds: 1 }, stored: true }, 'needs status or sequence'],
  [{ profile: 'flaky', stored: true }, 'needs status or sequence'],
  [{ reset: true, stored: 'yes' }, 'boolean'],
])('%j is refused: stored is for faults that take the place of an answer', async (fault, message) => {
  const { url } = await serve()
  const response = await fetch(`${url}/_sandbox/faults`, posted(fault))
  expect(await response.clone().text()).toContain(message)
  await expectInvalid(response, 'body stored')
})
