import { createHash } from 'node:crypto'

import { bodyOf } from '../doors/command.ts'
import { temporaryFolder } from '../folders.ts'
import { openSandbox, posted } from '../support.ts'
import { serveProbed } from './server.ts'

/** Asks a server, or a sandbox in this process. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** Something that is written. */
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

/** What is written; `many` makes the journal be folded. */
const acts: readonly Act[] = [
  writeNote,
  (send) => send('/_sandbox/data/notes', posted(many)),
  (send) => send('/_sandbox/reset', { method: 'POST' }),
  (send) => send('/_sandbox/reseed', posted({ seed: 7 })),
]

/** Asks the server at an address. */
export const over =
  (url: string): Send =>
  (path, init) =>
    fetch(`${url}${path}`, init)

/** A hash over the dataset and every note, but for the notes' ids: one that was refused may have used one up. */
export async function stateOf(send: Send): Promise<string> {
  const hash = createHash('sha256').update(await (await send('/_sandbox/health')).text())
  for (let offset = 0; ; offset += 250) {
    const { items } = await bodyOf<Notes>(await send(`/_sandbox/data/notes?limit=250&offset=${offset}`))
    if (items.length === 0) return hash.digest('hex')
    for (const { id: _, ...note } of items) hash.update(JSON.stringify(note))
  }
}

interface Notes {
  readonly items: readonly { readonly id: number }[]
}

/** The state that is to be when these have been done, and no others. */
export async function stateAfter(done: readonly Act[]): Promise<string> {
  const sandbox = await openSandbox()
  const send: Send = (path, init) => sandbox.fetch(new Request(`http://sandbox${path}`, init))
  for (const act of done) await act(send)
  return stateOf(send)
}

/** Every so manyth of the moments, the first of all being one of them. */
export const every = <T>(step: number, moments: readonly T[]): readonly T[] =>
  moments.filter((_, index) => index % step === 0)

/** The numbers from 1 to so many. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** An operation on the disk in a write, or none for the moment right after it. */
interface Moment {
  readonly act: Act
  readonly operation: number
}

let known: readonly Moment[] | undefined

/** Every moment in which a write may be interrupted: right after it, and in each of its operations on the disk. */
export async function momentsOfActs(): Promise<readonly Moment[]> {
  if (known) return known
  const { url, order } = await serveProbed([], { disk: { folder: temporaryFolder() } })
  await order({})
  const moments: Moment[] = []
  for (const act of acts) {
    await act(over(url))
    moments.push(...[Infinity, ...upTo(await order({}))].map((operation) => ({ act, operation })))
  }
  known = moments
  return moments
}
