import { expect, it } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import { as, openSandbox } from '../support.ts'

/** Sends requests. Returns the status, headers and body of each response, or the connection error. */
async function sendRequests(session: Pick<SessionHandle, 'fetch'>, requests: number): Promise<string[]> {
  const mara = as(session, 'mara')
  const outcomes: string[] = []
  for (let count = 0; count < requests; count += 1) {
    outcomes.push(await mara.send('/members/me').then(render, (error: Error) => `broken: ${error.message}`))
  }
  return outcomes
}

async function render(response: Response): Promise<string> {
  const headers = new Headers(response.headers)
  // It names the real milliseconds before a retry.
  headers.delete('sandbox-warning')
  return JSON.stringify([response.status, ...headers, await response.text()])
}

const isSuccess = (outcome: string): boolean => outcome.startsWith('[200,')

it.each([42, 7])('a flaky service fails within five requests in every session (seed %i)', async (seed) => {
  const sandbox = await openSandbox({ seed })
  const sessions = [sandbox, ...Array.from({ length: 40 }, () => sandbox.session())]
  const firsts = await Promise.all(
    sessions.map(async (session) => {
      session.faults.add({ profile: 'flaky' })
      return (await sendRequests(session, 5)).findIndex((outcome) => !isSuccess(outcome)) + 1
    }),
  )
  expect(firsts).not.toContain(0)
  expect(new Set(firsts), 'and not at the same request in all of them').toEqual(new Set([1, 2, 3, 4, 5]))
})

it('a flaky service fails on other requests in each session and with each seed, and on the same ones with the same seed and id', async () => {
  const [here, there] = [await openSandbox({ seed: 42 }), await openSandbox({ seed: 43 })]
  const again = (await openSandbox({ seed: 42 })).session({ id: 'mine' })
  const sessions = [here, here.session(), here.session({ id: 'mine' }), there, again]
  const outcomes = await Promise.all(
    sessions.map((session) => {
      session.faults.add({ profile: 'flaky' })
      return sendRequests(session, 60)
    }),
  )
  expect(outcomes.pop()).toEqual(outcomes[2])
  const patterns = outcomes.map((one) => one.map((outcome) => (isSuccess(outcome) ? '.' : 'x')).join(''))
  expect(new Set(patterns).size).toBe(4)
})

it('the five requests count only those that match, after those that are let through', async () => {
  const session = (await openSandbox()).session()
  session.faults.add({ profile: 'flaky', operationId: 'getCurrentMember', after: 20 })
  await as(session, 'mara').get('/organizations/harbor/customers')
  const outcomes = await sendRequests(session, 25)
  expect(outcomes.slice(0, 20).every(isSuccess)).toBe(true)
  expect(outcomes.slice(20).every(isSuccess)).toBe(false)
})
