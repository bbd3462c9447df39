import { expect, it } from 'vitest'

import type { FaultInput } from '../../src/index.ts'
import { as, type Client, createJsonPost, notes, openSandbox, overHttp, type Page } from '../support.ts'
import { serve } from './control-support.ts'

const note = (content: string) => createJsonPost({ categoryId: 1, content })

/** Lists the notes of customer 1. */
async function contents(client: Client): Promise<string[]> {
  const { items } = await client.get<Page<{ readonly content: string }>>(`${notes}?limit=250`)
  return items.map(({ content }) => content)
}

/** Sends a request and reads its response. Returns the status or the error message. */
async function send(client: Client, path: string, init: RequestInit): Promise<number | string> {
  try {
    const response = await client.send(path, init)
    await response.text()
    return response.status
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
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
  const mara = as(overHttp(url), 'mara')
  const before = await contents(mara)
  sandbox.faults.add({ ...effect, times: 1 })
  expect(await send(mara, notes, note('Lost'))).toBe(seen)
  expect(await contents(mara)).toEqual(before)
  const added = sandbox.faults.add({ ...effect, stored: true, times: 1 })
  expect(added).toMatchObject({ stored: true, left: 1 })
  expect(await send(mara, notes, note('Kept'))).toBe(seen)
  expect(await contents(mara)).toEqual([...before, 'Kept'])
})

it('a hang with `stored` keeps the note before the client gives up', async () => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  const before = await contents(mara)
  sandbox.faults.add({ method: 'POST', malfunction: 'hang', stored: true })
  const given = new AbortController()
  const posting = send(mara, notes, { ...note('Kept'), signal: given.signal })
  await expect.poll(() => contents(mara)).toEqual([...before, 'Kept'])
  given.abort(new Error('gave up'))
  expect(await posting).toBe('gave up')
})
