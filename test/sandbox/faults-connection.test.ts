import { expect, it, onTestFinished, vi } from 'vitest'

import type { FaultInput, Sandbox } from '../../src/index.ts'
import { as, createJsonPost, customers, note, notes, openSandbox, overHttp } from '../support.ts'
import { serve } from './control-support.ts'

/** A sandbox with a fault in all requests, called in process or over HTTP. */
const ways = {
  'in process': async (fault: FaultInput) => {
    const sandbox = await openSandbox()
    sandbox.faults.add(fault)
    return { sandbox, client: as(sandbox, 'mara') }
  },
  'over HTTP': async (fault: FaultInput) => {
    const { sandbox, url } = await serve({ size: 'small' })
    sandbox.faults.add(fault)
    return { sandbox, client: as(overHttp(url), 'mara') }
  },
}
const each = Object.entries(ways)

/** Returns the code of the cause of an error. */
async function codeOf(failing: Promise<unknown>): Promise<unknown> {
  const error = await failing.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TypeError)
  return ((error as TypeError).cause as { code?: string }).code
}

it.each(each)('a reset and an empty response reject: %s', async (_, open) => {
  expect(await codeOf((await open({ reset: true })).client.send('/members/me'))).toBe('ECONNRESET')
  expect(await codeOf((await open({ malfunction: 'empty' })).client.send('/members/me'))).toBe(
    'UND_ERR_SOCKET',
  )
})

it.each(each)('half of a truncated response arrives, and nothing is printed: %s', async (_, open) => {
  const printed = vi.spyOn(console, 'error')
  onTestFinished(() => printed.mockRestore())
  const response = await (await open({ malfunction: 'truncate' })).client.send(customers)
  expect(response.status).toBe(200)
  let received = 0
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) received += chunk.length
  }
  await expect(read()).rejects.toThrow('terminated')
  const half = Number(response.headers.get('content-length')) / 2
  expect(Math.abs(received - half)).toBeLessThan(1)
  expect(printed).not.toHaveBeenCalled()
})

it.each(each)('a malformed response arrives but for its last character: %s', async (_, open) => {
  const { sandbox, client } = await open({ malfunction: 'malformed', times: 1 })
  const broken = await (await client.send(customers)).text()
  expect(broken).toBe((await (await as(sandbox, 'mara').send(customers)).text()).slice(0, -1))
})

it.each(each)(
  'a hang, a gate and a delay end when the client gives up, which the journal says; only `stored` keeps the note: %s',
  async (_, open) => {
    const delayMs = 600_000
    for (const [fault, status, kept = 0] of [
      [{ malfunction: 'hang' }, 'hang'],
      [{ malfunction: 'hang', stored: true }, 'hang', 1],
      [{ gate: true, stored: true }, 'aborted', 1],
      [{ delayMs }, 'aborted'],
      [{ delayMs, malfunction: 'truncate' }, 'aborted'],
      [{ delayMs, status: 503, stored: true }, 'aborted'],
    ] as const) {
      const { sandbox, client } = await open(fault)
      const over = new AbortController()
      const sending = client.send(notes, { ...createJsonPost(note), signal: over.signal })
      await expect.poll(() => sandbox.requests.list()).toHaveLength(1)
      await expect.poll(() => sandbox.data.changes()).toHaveLength(kept)
      over.abort(new Error('gave up'))
      await expect(sending).rejects.toThrow('gave up')
      const entry = { status, fault: 'fault-1', caller: { id: 1 }, response: undefined }
      await expect.poll(() => sandbox.requests.list()).toMatchObject([entry])
      expect(await sandbox.data.changes()).toHaveLength(kept)
    }
  },
)

it('a sandbox that is released responds to delayed requests and closes the connections of hanging ones', async () => {
  const { sandbox, client } = await ways['in process']({ delayMs: 600_000, times: 1 })
  const delayed = client.send('/members/me')
  sandbox.faults.add({ malfunction: 'hang' })
  const hanging = codeOf(client.send('/members/me'))
  await expect.poll(() => sandbox.faults.list().map(({ injected }) => injected)).toEqual([1, 1])
  sandbox.release()
  expect((await delayed).status).toBe(200)
  expect(await hanging).toBe('UND_ERR_SOCKET')
})

/** Lists the notes of customer 1. */
const listNotes = async ({ data }: Sandbox): Promise<string[]> =>
  (await data.notes.list({ customerId: 1 })).items.map(({ content }) => content)

/** Sends a note and reads the response. Returns the status or the error message. */
async function sendNote(url: string, content: string): Promise<unknown> {
  try {
    const response = await as(overHttp(url), 'mara').send(notes, createJsonPost({ ...note, content }))
    await response.text()
    return response.status
  } catch (error) {
    return Object(error).message
  }
}

/** Effects that replace or break a response, and the outcome for the client. */
const broken: readonly (readonly [FaultInput, seen: number | string])[] = [
  [{ reset: true }, 'fetch failed'],
  [{ malfunction: 'empty' }, 'fetch failed'],
  [{ malfunction: 'truncate' }, 'terminated'],
  [{ malfunction: 'malformed' }, 200],
  [{ status: 503 }, 503],
  [{ sequence: [504] }, 504],
]

it.each(broken)('%j stores nothing, and does the same with `stored`', async (effect, seen) => {
  const { url, sandbox } = await serve()
  const before = await listNotes(sandbox)
  sandbox.faults.add({ ...effect, times: 1 })
  expect(await sendNote(url, 'Lost')).toBe(seen)
  expect(await listNotes(sandbox)).toEqual(before)
  const added = sandbox.faults.add({ ...effect, stored: true, times: 1 })
  expect(added).toMatchObject({ stored: true, left: 1 })
  expect(await sendNote(url, 'Kept')).toBe(seen)
  expect(await listNotes(sandbox)).toEqual([...before, 'Kept'])
})
