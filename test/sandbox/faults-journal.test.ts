import { expect, it } from 'vitest'

import type { FaultInput } from '../../src/index.ts'
import { as, openSandbox, createJsonPost } from '../support.ts'

const me = '/members/me'

const ignored = (): undefined => undefined

const effects: readonly FaultInput[] = [
  { status: 401 },
  { reset: true },
  { malfunction: 'truncate' },
  { rateLimit: { requests: 0, windowSeconds: 60 } },
]

it.each(effects)('the journal names the caller of a request with the fault %j', async (effect) => {
  const sandbox = await openSandbox()
  sandbox.faults.add(effect)
  await as(sandbox, 'theo').send(me).catch(ignored)
  await as(sandbox, 'theo').send('/nowhere', createJsonPost({})).catch(ignored)
  const entry = { fault: 'fault-1', caller: { id: 2, organizationId: 'harbor' } }
  expect(sandbox.requests.list()).toMatchObject([entry, entry])
  expect(sandbox.requests.list({ caller: 2 })).toHaveLength(2)
  expect(sandbox.requests.list({ caller: 'none' })).toHaveLength(0)
})

it('the journal names the caller after a Prefer header, and if the client gives up', async () => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  await mara.send(me, { headers: { prefer: 'code=503' } })
  sandbox.faults.add({ malfunction: 'hang' })
  await mara.send(me, { signal: AbortSignal.timeout(20) }).catch(ignored)
  expect(sandbox.requests.list()).toMatchObject([
    { status: 503, fault: 'prefer', caller: { id: 1 } },
    { status: 'hang', fault: 'fault-1', caller: { id: 1 } },
  ])
})

it.each<FaultInput>([{ malfunction: 'truncate' }, { status: 503 }, { malfunction: 'empty', stored: true }])(
  'a client that gives up while %j delays its note is aborted in the journal, and stores none',
  async (fault) => {
    const sandbox = await openSandbox()
    sandbox.faults.add({ operationId: 'createCustomerNote', delayMs: 600_000, ...fault })
    const client = new AbortController()
    const note = { ...createJsonPost({ categoryId: 1, content: 'Called' }), signal: client.signal }
    const sent = as(sandbox, 'mara').send('/organizations/harbor/customers/1/notes', note)
    await expect.poll(() => sandbox.requests.list()).toHaveLength(1)
    client.abort()
    await sent.catch(ignored)
    expect(sandbox.requests.list()).toMatchObject([
      { status: 'aborted', fault: 'fault-1', caller: { id: 1 } },
    ])
    expect(await sandbox.data.changes()).toEqual([])
  },
)
