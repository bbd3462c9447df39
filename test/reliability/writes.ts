import { createHash } from 'node:crypto'

import { bodyOf } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'
import { openSandbox, createJsonPost } from '../support.ts'
import { serveProbed } from './server.ts'

/** Sends a request to a server, or to a sandbox in this process. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** A request that writes. */
export type Act = (send: Send) => Promise<Response>

const many = Array.from({ length: 110 }, (_, index) => ({
  customerId: 2,
  content: `${index}`.padEnd(9_999, 'x'),
}))

const headers = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json' }
const body = JSON.stringify({ categoryId: 1, content: 'A note' })

/** Writes a note. */
export const writeNote: Act = (send) =>
  send('/v1/organizations/harbor/customers/1/notes', { method: 'POST', headers, body })

/** Drops all changes. */
export const reset: Act = (send) => send('/_sandbox/reset', { method: 'POST' })

/** Adds what acts on the next request, and sends that request. */
const readWith =
  (path: string, cause: object): Act =>
  async (send) => {
    await send('/_sandbox/scenarios', { method: 'DELETE' })
    await send(path, createJsonPost(cause))
    const answer = await send('/v1/organizations/harbor/customers?limit=3', { headers })
    await send('/_sandbox/clock/tick', { method: 'DELETE' })
    return answer
  }

/** Restores a state over the first dataset, with a change and another time. */
const restoreState: Act = async (send) => {
  const saved = await openSandbox()
  saved.clock.set('2026-05-01T00:00Z')
  await saved.data.customers.patch(4, { name: 'Restored' })
  return send('/_sandbox/state', { ...createJsonPost(await saved.saveState()), method: 'PUT' })
}

/** The writes under test. */
const acts: readonly Act[] = [
  writeNote,
  (send) => send('/_sandbox/clock', { ...createJsonPost({ now: '2026-02-01T00:00Z' }), method: 'PUT' }),
  readWith('/_sandbox/clock/tick', { by: 'PT5M' }),
  readWith('/_sandbox/scenarios', { name: 'change-while-reading' }),
  readWith('/_sandbox/scenarios', { name: 'bulk-update-ties', count: 5 }),
  restoreState,
  (send) => send('/_sandbox/data/notes', createJsonPost(many)),
  reset,
  (send) => send('/_sandbox/reseed', createJsonPost({ seed: 7 })),
  restoreState,
]

/** Creates a function that sends requests to a server. */
export const createSend =
  (url: string): Send =>
  (path, init) =>
    fetch(`${url}${path}`, init)

/** Hashes the dataset, the time, some customers and every note. */
export async function hashState(send: Send): Promise<string> {
  const hash = createHash('sha256').update(await (await send('/_sandbox/health')).text())
  hash.update(await (await send('/_sandbox/data/customers?limit=10')).text())
  for (let offset = 0; ; offset += 250) {
    const { items } = await bodyOf<Notes>(await send(`/_sandbox/data/notes?limit=250&offset=${offset}`))
    if (items.length === 0) return hash.digest('hex')
    hash.update(JSON.stringify(items))
  }
}

interface Notes {
  readonly items: readonly object[]
}

/** Computes the state after exactly these writes. */
export async function computeStateAfter(done: readonly Act[]): Promise<string> {
  const sandbox = await openSandbox()
  const send: Send = (path, init) => sandbox.fetch(new Request(`http://sandbox${path}`, init))
  for (const act of done) await act(send)
  return hashState(send)
}

/** Takes every nth of the moments, starting with the first. */
export const takeEvery = <T>(step: number, moments: readonly T[]): readonly T[] =>
  moments.filter((_, index) => index % step === 0)

/** Lists the numbers from 1 to `count`. */
export const listUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** A disk operation during a write, or Infinity for the moment right after it. */
interface Moment {
  readonly act: Act
  readonly operation: number
}

let known: readonly Moment[] | undefined

/** Lists every moment in which a write may be interrupted: right after it, and in each of its disk operations. */
export async function listMoments(): Promise<readonly Moment[]> {
  if (known) return known
  const { url, order } = await serveProbed([], { disk: { folder: temporaryFolder() } })
  await order({})
  const moments: Moment[] = []
  for (const act of acts) {
    await act(createSend(url))
    moments.push(...[Infinity, ...listUpTo(await order({}))].map((operation) => ({ act, operation })))
  }
  known = moments
  return moments
}
