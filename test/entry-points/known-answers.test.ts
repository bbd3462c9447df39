import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Sandbox, SessionHandle } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { serve } from '../sandbox/control-support.ts'
import { type Answering, as, customers, overHttp, type tokens } from '../support.ts'

async function read(at: Answering, name: keyof typeof tokens, path: string) {
  const response = await as(at, name).send(path)
  const { date: _, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}

/** Opens a copy of a session, which keeps no responses since its settings are its own. */
function copySession(url: string, sandbox: Sandbox, from: string) {
  const copy = sandbox.session({ from, assumptions: { createStatus: 201 } })
  return { ...overHttp(`${url}/_sandbox/sessions/${copy.id}`), close: () => copy.close() }
}

interface Place {
  readonly sandbox: Sandbox
  /** The default session, or another one. */
  readonly at: Sandbox | SessionHandle
  readonly number: number
}

/** Each changes the responses to some of the requests below, of some callers, in some sessions. */
const acts: Readonly<Record<string, (place: Place) => unknown>> = {
  patch: ({ at, number }) => at.data.customers.patch(1, { name: `Name ${number}` }),
  'patch of an embedded record': ({ at, number }) =>
    at.data.members.patch(1, { firstName: `Name ${number}` }),
  clock: ({ at, number }) => at.clock.set(new Date(Date.UTC(2025, 11, number)).toISOString()),
  reset: ({ at }) => at.reset(),
  reseed: ({ sandbox, number }) => sandbox.reseed({ seed: number }),
  close: ({ at }) => 'id' in at && at.close(),
}

const anyAct = fc.record({
  name: fc.constantFrom(...Object.keys(acts)),
  isOther: fc.boolean(),
  number: fc.integer({ min: 1, max: 31 }),
})

it('a repeated request returns what is true for its caller in its session now, whatever has happened', async () => {
  const { url, sandbox } = await serve()
  const places = [
    ['default', overHttp(url)],
    ['other', overHttp(`${url}/_sandbox/sessions/other`)],
    ['other', overHttp(url, { 'sandbox-session': 'other' })],
  ] as const
  const paths = ['/members/me', `${customers}/1`, `${customers}?updatedSince=2025-12-15T00:00Z`]
  const requests = paths.flatMap((path) =>
    (['mara', 'theo', 'nobody'] as const).map((name) => ({ name, path })),
  )
  const check = async (steps: readonly { name: string; isOther: boolean; number: number }[]) => {
    for (const { name: act, isOther, number } of steps) {
      const other = sandbox.ensureSession('other')
      await acts[act]?.({ sandbox, at: isOther ? other : sandbox, number })
      const isClosed = act === 'reseed' || (act === 'close' && isOther)
      const lost = places.filter(([id]) => isClosed && id === 'other')
      for (const [, at] of lost) expect(await read(at, 'mara', paths[0] ?? '')).toMatchObject({ status: 404 })
      for (const [id, at] of places.filter((place) => !lost.includes(place))) {
        const copy = copySession(url, sandbox, id)
        for (const { name, path } of requests) {
          const found = { act, ...(await read(at, name, path)) }
          expect(found, `${path} by ${name}`).toEqual({ act, ...(await read(copy, name, path)) })
        }
        copy.close()
      }
    }
  }
  const steps = fc.array(anyAct, { minLength: 8, maxLength: 8 })
  await fc.assert(fc.asyncProperty(steps, check), { seed: 42, numRuns: chooseAmount(2, 30) })
})
