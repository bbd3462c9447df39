import { expect, it } from 'vitest'

import { expectBelow, formatMegabytes } from './figures.ts'
import { notes } from './raw-http.ts'
import { serveWithClient } from './server.ts'

const customers = '/v1/organizations/harbor/customers'
const size = 300

/** The work of a kind of client in its session, round after round. */
type Round = (
  call: (method: string, path: string, body?: unknown) => Promise<string>,
  round: number,
) => Promise<unknown>

/** The options and the work of sessions of every kind. */
const kinds: readonly { readonly options: object; readonly work: Round }[] = [
  {
    options: {},
    work: async (call, round) => {
      await call('GET', `${customers}?limit=250&offset=${(round % 2) * 50}`)
      await call('POST', notes, { categoryId: 1, content: `Note ${round} `.padEnd(5_000, 'x') })
    },
  },
  {
    options: { future: 'living', faults: [{ profile: 'flaky', operationId: 'listMembers' }] },
    work: async (call, round) => {
      await call('PUT', '/_sandbox/clock', {
        now: `2026-${1 + (round % 12)}-20T00:00Z`.replace(/-(\d)-/, '-0$1-'),
      })
      await call('GET', `${customers}?updatedSince=2026-01-16T00:00Z`)
      if (round % 20 === 0) await call('GET', '/_sandbox/clock/events')
    },
  },
  {
    options: { future: 'living' },
    work: async (call, round) => {
      if (round === 0) {
        await call('POST', '/_sandbox/scenarios', { name: 'late-visibility', seconds: 3_600 })
        await call('POST', '/_sandbox/clock/tick', { by: 'PT1M' })
      }
      await call('PATCH', `/_sandbox/data/customers/${1 + (round % size)}`, { city: `City ${round}` })
      await call('GET', `${customers}?limit=20`)
    },
  },
  {
    options: { assumptions: { violationStatus: 422 } },
    work: async (call, round) => {
      const state = await call('GET', '/_sandbox/state')
      await call('POST', '/_sandbox/data/signals', [{ customerId: 1 + (round % 25) }, { customerId: 2 }])
      if (round % 5 === 0) await call('PUT', '/_sandbox/state', state)
      await call('POST', '/_sandbox/explain', { path: customers, token: 'sbx_harbor_1', id: 3 })
    },
  },
]

it('lives on under mixed load with sessions of every kind, in little memory', async (context) => {
  const heap = 256
  const { call, child, memory } = await serveWithClient(heap, ['--size', `${size}`])
  const lengthMs = 600_000
  const begunMs = performance.now()
  const getShare = (): number => (performance.now() - begunMs) / lengthMs
  const measured: number[] = []
  let quarters = 0
  let opened = 0
  let requests = 0
  const client = async ({ options, work }: (typeof kinds)[number]): Promise<void> => {
    while (getShare() < 1) {
      const id = `mixed-${(opened += 1)}`
      await call('POST', '/_sandbox/sessions', undefined, { id, ...options })
      for (let round = 0; round < 40 && getShare() < 1; round += 1) {
        await work((method, path, body) => {
          requests += 1
          return call(method, path, id, body)
        }, round)
        // After each quarter of the time.
        if (quarters === Math.floor(getShare() * 4)) continue
        quarters += 1
        measured.push((await memory()).live)
      }
      // Two of three are never deleted.
      if (opened % 3 === 0) await call('DELETE', `/_sandbox/sessions/${id}`)
    }
  }
  await Promise.all([...kinds, ...kinds].map(client))
  expect(child.exitCode).toBeNull()
  await call('GET', '/v1/members/me')
  measured.push((await memory()).live)
  const [second = 0, last = 0] = [measured[1], measured.at(-1)]
  const live = measured.map(formatMegabytes).join(', ')
  await context.annotate(`${requests} requests, ${opened} sessions: ${live} live`)
  await expectBelow(context, 'growth after half of the time', last - second, 24 * 1_048_576, formatMegabytes)
}, 900_000)
