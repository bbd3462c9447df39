import * as fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'

import { serve } from '../../src/node/server/http-server.ts'
import { openSandbox as open } from '../../src/sandbox/sandbox.ts'
import { scenarioNames } from '../../src/testing/scenarios/definitions.ts'
import { SimulatedDisk } from '../folders.ts'
import type { Answer } from '../sandbox/control-support.ts'
import { note } from '../support.ts'
import { chooseAmount } from './figures.ts'
import { connected, head, notes } from './raw-http.ts'

const customers = '/v1/organizations/harbor/customers'

/** Serves a sandbox whose disk can be made full. */
async function serveOnDisk(future: 'still' | 'living' = 'still') {
  const disk = new SimulatedDisk()
  const sandbox = await open({ size: 3, future }, { storage: disk.storage })
  const { url, close } = await serve(sandbox.handle, { ownsProcess: false }, '127.0.0.1', 0)
  onTestFinished(close)
  return { sandbox, disk, url, close }
}

/** Sends requests one after the other over one connection, and reads their responses by their lengths. */
async function exchange(url: string, requests: readonly string[], meanwhile: () => unknown) {
  const client = await connected(url)
  const responses: Answer[] = []
  for (const [index, request] of requests.entries()) {
    client.send(request)
    if (index === 0) await meanwhile()
    responses.push(await client.next())
  }
  client.socket.destroy()
  expect(client.text()).toBe('')
  return responses
}

const get = (path: string): string => head('GET', path)
const remove = (path: string): string => head('DELETE', path)

/** A request with a JSON body. */
function send(method: string, path: string, value: unknown): string {
  const body = JSON.stringify(value)
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return head(method, path, 'Content-Type: application/json', length) + body
}

const post = send('POST', notes, note)

it('sends a response of the right length after a gate behind a stored note that is reset while the request waits', async () => {
  const { sandbox, url } = await serveOnDisk()
  sandbox.faults.add({ operationId: 'createCustomerNote', gate: true, stored: true })
  const [first, second] = await exchange(url, [post, get('/v1/members/me')], async () => {
    await sandbox.gates.next()
    await sandbox.reset()
  })
  expect(first).toMatchObject({ status: 503, body: expect.stringMatching(/^\{.*\}$/s) })
  expect(second?.status).toBe(200)
})

/** Requests that arrange something for later ones. */
const arrangements = fc.oneof(
  fc
    .record({
      name: fc.constantFrom(...scenarioNames),
      times: fc.integer({ min: 1, max: 3 }),
    })
    .map((scenario) => send('POST', '/_sandbox/scenarios', scenario)),
  fc
    .record({
      status: fc.constantFrom(429, 500, 503),
      times: fc.integer({ min: 1, max: 3 }),
      after: fc.integer({ min: 0, max: 2 }),
      stored: fc.boolean(),
    })
    .map(({ stored, ...fault }) =>
      send('POST', '/_sandbox/faults', stored ? { ...fault, stored, method: 'POST' } : fault),
    ),
  fc.constant(send('POST', '/_sandbox/scenarios', { name: 'extra-field', value: 'ä'.repeat(90) })),
  fc.constantFrom('PT1M', 'P40D', 'P900Y').map((by) => send('POST', '/_sandbox/clock/tick', { by })),
  fc
    .constantFrom('2026-02-01T00:00Z', '2020-01-01T00:00Z', '9999-12-31T23:59:59.999Z')
    .map((now) => send('PUT', '/_sandbox/clock', { now })),
)

/** Requests of every kind that what was arranged may disturb. */
const requests = fc.constantFrom(
  get(customers),
  get(`${customers}?limit=1`),
  get(`${customers}?limit=1&offset=1`),
  get(`${customers}?updatedSince=2026-01-01T00:00Z`),
  get(`${customers}/1`),
  get('/v1/organizations/harbor/signals'),
  get('/v1/members/me'),
  get('/v1/nowhere'),
  post,
  get('/_sandbox/overview'),
  get('/_sandbox/requests?bodies=false'),
  get('/_sandbox/clock/events'),
  get('/_sandbox/data/changes'),
  get('/_sandbox/state'),
  send('POST', '/_sandbox/explain', { requestId: 1, id: 1 }),
  send('POST', '/_sandbox/preview', { path: '/organizations/harbor/customers', token: 'sbx_harbor_1' }),
  send('PATCH', '/_sandbox/data/customers/1', { segment: 'SMB' }),
  send('POST', '/_sandbox/clock/advance', { by: 'P1D' }),
  send('POST', '/_sandbox/reset', {}),
  remove('/_sandbox/data/customers/2'),
  remove('/_sandbox/data/changes'),
  remove('/_sandbox/scenarios'),
  remove('/_sandbox/faults'),
  remove('/_sandbox/clock'),
)

it('sends whole responses, whatever control calls, scenarios, faults and full disks come together', async ({
  annotate,
}) => {
  let count = 0
  const steps = fc.array(
    fc.oneof({ weight: 1, arbitrary: arrangements }, { weight: 2, arbitrary: requests }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  const check = async (before: string[], onFullDisk: string[], future: 'still' | 'living') => {
    const { sandbox, disk, url, close } = await serveOnDisk(future)
    const responses = await exchange(url, before, () => undefined)
    disk.accepts = () => false
    responses.push(...(await exchange(url, onFullDisk, () => undefined)))
    count += responses.length
    for (const { status, body } of responses) expect(`${status} ${body}`).toMatch(/^[245]\d\d (?:[{[].*|)$/s)
    expect((await sandbox.fetch('/_sandbox/health')).status).toBe(200)
    await close()
  }
  const property = fc.asyncProperty(steps, steps, fc.constantFrom('still', 'living'), check)
  await fc.assert(property, { numRuns: chooseAmount(30, 3_000), seed: 24 })
  await annotate(`${count} responses`)
}, 1_200_000)
