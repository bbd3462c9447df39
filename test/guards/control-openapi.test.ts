import { expect, it } from 'vitest'

import { createLabControl, type LabParts } from '../../src/lab/control.ts'
import { openSandbox, tokens } from '../support.ts'
import { type Document, listOperations } from './openapi-document.ts'
import { createResponseValidator } from './response-validator.ts'

const sandbox = await openSandbox()

/** Sends a request of the control plane. */
function send(method: string, target: string, body?: unknown): Promise<Response> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
  return sandbox.fetch(new Request(`http://sandbox${target}`, init))
}

const document = (await (await send('GET', '/_sandbox/openapi.json')).json()) as Document
const faults = createResponseValidator(document)

const operations = listOperations(document)

/** The routes that respond with a page, its files or a redirect to it. */
const page = /^\/(?:_sandbox\/?|docs.*|llms\.txt|_sandbox\/(?:assets|docs).*)?$/

it('describes every route of the control plane except the pages', () => {
  const { routes } = createLabControl({ access: undefined } as LabParts)
  const paths = new Set(
    routes
      .filter(({ method, path }) => method !== 'ALL' && !page.test(path))
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
  )
  const described = operations.map(({ method, path }) => `${method} ${path}`)
  expect(described.toSorted()).toEqual([...paths].toSorted())
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
})

it('describes every parameter of a path', () => {
  for (const { path, parameters } of operations) {
    const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(names).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name))
  }
})

const me = { path: '/members/me', token: tokens.mara }

/** Calls of every operation, in an order that gives each something to respond with. */
const calls: readonly (readonly [operationId: string, target: string, body?: unknown])[] = [
  ['getHealth', '/_sandbox/health'],
  ['getServerHealth', '/health'],
  ['getServiceDocument', '/openapi.json'],
  ['getServiceOpenApi', '/_sandbox/service/openapi.json'],
  ['getControlDocument', '/_sandbox/openapi.json'],
  ['listCredentials', '/_sandbox/credentials'],
  ['getVisibility', '/_sandbox/visibility'],
  ['findRecords', '/_sandbox/find?q=1'],
  ['explain', '/_sandbox/explain', { ...me, path: '/organizations/harbor/customers?segment=x', id: 1 }],
  ['preview', '/_sandbox/preview', me],
  ['listAssumptions', '/_sandbox/assumptions'],
  ['setAssumptions', '/_sandbox/assumptions', { errorFormat: 'error' }],
  ['setClock', '/_sandbox/clock', { now: '2026-03-01T00:00Z' }],
  ['advanceClock', '/_sandbox/clock/advance', { by: 'P1D' }],
  ['listEvents', '/_sandbox/clock/events?to=2026-01-20T00:00Z'],
  ['getHistory', '/_sandbox/data/history/customers/1'],
  ['tickClock', '/_sandbox/clock/tick', { by: 'PT1S', on: 'listCustomers' }],
  ['getClock', '/_sandbox/clock'],
  ['stopTick', '/_sandbox/clock/tick'],
  ['resetClock', '/_sandbox/clock'],
  ['addFaults', '/_sandbox/faults', { operationId: 'listBriefs', status: 503, delayMs: { min: 0, max: 1 } }],
  ['addFaults', '/_sandbox/faults', [{ profile: 'flaky' }, { rateLimit: { requests: 1, windowSeconds: 1 } }]],
  ['listFaults', '/_sandbox/faults'],
  ['listFaultProfiles', '/_sandbox/faults/profiles'],
  ['getFault', '/_sandbox/faults/fault-1'],
  ['removeFault', '/_sandbox/faults/fault-1'],
  ['addFaults', '/_sandbox/faults?first=true', { gate: true }],
  ['listGates', '/_sandbox/gates'],
  ['awaitGate', '/_sandbox/gates/next', { operationId: 'getCurrentMember' }],
  ['releaseGate', '/_sandbox/gates/gate-1/release', { status: 503 }],
  ['releaseGates', '/_sandbox/gates/release'],
  ['clearFaults', '/_sandbox/faults'],
  ['listRequests', '/_sandbox/requests'],
  ['listRequests', '/_sandbox/requests?bodies=false'],
  ['getRequest', '/_sandbox/requests/1'],
  ['exportRequests', '/_sandbox/requests.har'],
  ['listWarnings', '/_sandbox/requests/warnings'],
  ['verifyRequests', '/_sandbox/requests/verify', { operationId: 'getCurrentMember', count: 7 }],
  ['clearRequests', '/_sandbox/requests'],
  ['listCollections', '/_sandbox/data'],
  [
    'createRecordsOfCollections',
    '/_sandbox/data',
    { customers: [{ id: 900 }], notes: [{ customerId: 900 }] },
  ],
  ['listRecords', '/_sandbox/data/signals?limit=2&organizationId=harbor'],
  ['createRecords', '/_sandbox/data/customers', { name: 'One' }],
  ['createRecords', '/_sandbox/data/customers', [{ name: 'Two' }]],
  ['countRecords', '/_sandbox/data/customers/counts?by=segment'],
  ['getRecord', '/_sandbox/data/customers/1'],
  ['putRecord', '/_sandbox/data/customers/1', { name: 'New' }],
  ['patchRecord', '/_sandbox/data/customers/1', { city: 'Bath' }],
  ['deleteRecord', '/_sandbox/data/customers/2'],
  ['listChanges', '/_sandbox/data/changes'],
  ['getOverview', '/_sandbox/overview'],
  ['undoChange', '/_sandbox/data/changes/customers/1'],
  ['undoChanges', '/_sandbox/data/changes'],
  ['saveState', '/_sandbox/state'],
  ['restoreState', '/_sandbox/state'],
  ['addScenario', '/_sandbox/scenarios', { name: 'new-enum-value' }],
  ['listScenarios', '/_sandbox/scenarios'],
  ['listScenarioDefinitions', '/_sandbox/scenarios/definitions'],
  ['removeScenario', '/_sandbox/scenarios/scenario-1'],
  ['clearScenarios', '/_sandbox/scenarios'],
  ['readTruth', '/_sandbox/sync/truth?collection=customers&scenarios=false'],
  ['judgeSync', '/_sandbox/sync/verdict?as=1', { copy: { customers: [1] }, ignore: ['city'] }],
  ['openSession', '/_sandbox/sessions', { id: 'x', name: 'X', future: 'living', faults: [{ status: 503 }] }],
  ['ensureSession', '/_sandbox/sessions/y', { name: 'Y' }],
  ['ensureSession', '/_sandbox/sessions/y'],
  ['listSessions', '/_sandbox/sessions'],
  ['getSession', '/_sandbox/sessions/x'],
  ['deleteSession', '/_sandbox/sessions/x'],
  ['reset', '/_sandbox/reset'],
  ['reseed', '/_sandbox/reseed', { size: 3 }],
]

it('describes the response of every route', async () => {
  const seen = new Set<string>()
  let saved: unknown
  for (const token of [tokens.mara, 'sbx_nobody']) {
    const headers = { authorization: `Bearer ${token}` }
    // The journal shall have a request with a warning, and one without a caller.
    await sandbox.fetch(new Request('http://sandbox/v1/members/me?colour=red', { headers }))
  }
  for (const [operationId, target, sent] of calls) {
    const operation = operations.find((one) => one.operationId === operationId)
    if (!operation) throw new Error(`There is no operation ${operationId}.`)
    const { path, method } = operation
    // A gate holds this request until one of the next calls releases it.
    if (operationId === 'listGates') void sandbox.fetch(new Request('http://sandbox/v1/members/me'))
    if (operationId === 'saveState') saved = await sandbox.saveState()
    const response = await send(method.toUpperCase(), target, operationId === 'restoreState' ? saved : sent)
    const text = await response.text()
    const { status } = response
    expect(`${status}`, `the status of ${operationId}: ${text}`).toMatch(/^20[014]$/)
    expect(operation.responses).toHaveProperty(`${status}`)
    const mediaType = response.headers.get('content-type') ?? ''
    const found =
      status === 204 ? [] : faults({ path, method }, { status, mediaType, body: JSON.parse(text) })
    expect(found, `the response of ${operationId}`).toEqual([])
    seen.add(operationId)
  }
  const rest = operations.map(({ operationId }) => operationId).filter((id) => !seen.has(id))
  // A stream has no end that a schema could describe.
  expect(rest).toEqual(['streamRequests'])
})

it('describes every error', async () => {
  const failing = [
    ['get', '/_sandbox/faults/{id}', await send('GET', '/_sandbox/faults/x')],
    ['post', '/_sandbox/faults', await send('POST', '/_sandbox/faults', { status: 1 })],
    ['get', '/_sandbox/data/{collection}/{id}', await send('GET', '/_sandbox/data/customers/x')],
  ] as const
  for (const [method, path, response] of failing) {
    const mediaType = response.headers.get('content-type') ?? ''
    const answer = { status: response.status, mediaType, body: await response.json() }
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(faults({ path, method }, answer)).toEqual([])
  }
})

it.each(['/openapi.json', '/_sandbox/openapi.json'])(
  'generators of clients can read %s: it names no class of statuses, and escapes no slash in a pattern',
  async (path) => {
    const text = await (await sandbox.fetch(new Request(`http://sandbox${path}`))).text()
    // Generators write `4XX` as a number, and break the literal of such a pattern.
    expect(text.match(/"[1-5]XX"|"pattern":"[^"]*\\\\\/[^"]*"/g)).toBeNull()
  },
)
