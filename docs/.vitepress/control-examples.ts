import { createSandbox, type DatasetOptions, type Sandbox } from '../../src/index.ts'

/** A request of an example, as a reader sends it with curl. */
export interface Step {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body?: unknown
  /** Whether the response comes only after a later step. */
  readonly isHeld?: boolean
  /** Whether the body is the response of the step before, in a file of this name. */
  readonly file?: string
}

/** An example of a call of the control plane; in a fresh sandbox it gets a successful response. */
export interface ControlExample {
  readonly target: string
  readonly body?: unknown
  /** The requests without which there would be nothing to respond with. */
  readonly before?: readonly Step[]
  /** Whether the body is the response of the last step before. */
  readonly file?: string
}

const home = '/organizations/harbor'
const token = 'sbx_harbor_1'

const send = (target: string): Step => ({ method: 'GET', target: `/v1${target}` })
const post = (target: string, body: unknown): Step => ({ method: 'POST', target: `/_sandbox${target}`, body })

const addFault = post('/faults', { operationId: 'listCustomers', status: 503, times: 2 })
const addScenario = post('/scenarios', { name: 'page-drift' })
const openSession = post('/sessions', { id: 'checkout' })
const renameCustomer: Step = {
  method: 'PATCH',
  target: '/_sandbox/data/customers/1',
  body: { name: 'Tern & Co' },
}
const saveState: Step = { method: 'GET', target: '/_sandbox/state', file: 'state.json' }
const me = send('/members/me')

/** A gate, and a request that it holds. */
const hold = [post('/faults', { operationId: 'getCurrentMember', gate: true }), { ...me, isHeld: true }]
const arrive = post('/gates/next', {})

/** An example of every call of the control plane, by its operationId. */
export const controlExamples: Readonly<Record<string, ControlExample>> = {
  getHealth: { target: '/_sandbox/health' },
  getServerHealth: { target: '/health' },
  getOverview: { target: '/_sandbox/overview', before: [me] },
  getServiceDocument: { target: '/openapi.json' },
  getServiceOpenApi: { target: '/_sandbox/service/openapi.json' },
  getControlDocument: { target: '/_sandbox/openapi.json' },
  listCredentials: { target: '/_sandbox/credentials' },
  getVisibility: { target: '/_sandbox/visibility' },
  findRecords: { target: '/_sandbox/find?q=larkspur' },
  explain: {
    target: '/_sandbox/explain',
    body: { path: `${home}/customers?scope=mine`, token, id: 6 },
  },
  preview: { target: '/_sandbox/preview', body: { path: '/members/me', token } },
  reset: { target: '/_sandbox/reset', before: [renameCustomer] },
  reseed: { target: '/_sandbox/reseed', body: { seed: 7, size: 'small' } },
  listAssumptions: { target: '/_sandbox/assumptions' },
  setAssumptions: { target: '/_sandbox/assumptions', body: { createStatus: 201 } },
  getClock: { target: '/_sandbox/clock' },
  setClock: { target: '/_sandbox/clock', body: { now: '2026-03-01T09:00Z' } },
  advanceClock: { target: '/_sandbox/clock/advance', body: { by: 'P1D' } },
  resetClock: { target: '/_sandbox/clock', before: [post('/clock/advance', { by: 'P1D' })] },
  tickClock: { target: '/_sandbox/clock/tick', body: { by: 'PT1S', on: 'listCustomers' } },
  stopTick: { target: '/_sandbox/clock/tick', before: [post('/clock/tick', { by: 'PT1S' })] },
  listEvents: {
    target: '/_sandbox/clock/events?to=2026-01-20T00:00Z',
    before: [post('/reseed', { size: 'small', future: 'living' })],
  },
  listFaults: { target: '/_sandbox/faults', before: [addFault] },
  addFaults: { target: '/_sandbox/faults', body: addFault.body },
  clearFaults: { target: '/_sandbox/faults', before: [addFault] },
  listFaultProfiles: { target: '/_sandbox/faults/profiles' },
  getFault: { target: '/_sandbox/faults/fault-1', before: [addFault] },
  removeFault: { target: '/_sandbox/faults/fault-1', before: [addFault] },
  listGates: { target: '/_sandbox/gates', before: [...hold, arrive] },
  awaitGate: { target: '/_sandbox/gates/next', body: { operationId: 'getCurrentMember' }, before: hold },
  releaseGate: {
    target: '/_sandbox/gates/gate-1/release',
    body: { status: 503 },
    before: [...hold, arrive],
  },
  releaseGates: { target: '/_sandbox/gates/release', before: [...hold, arrive] },
  listRequests: { target: '/_sandbox/requests?bodies=false', before: [me] },
  getRequest: { target: '/_sandbox/requests/1', before: [me] },
  clearRequests: { target: '/_sandbox/requests', before: [me] },
  exportRequests: { target: '/_sandbox/requests.har', before: [me] },
  streamRequests: { target: '/_sandbox/requests/stream' },
  listWarnings: { target: '/_sandbox/requests/warnings', before: [send(`${home}/customers?segmnt=SMB`)] },
  getCoverage: { target: '/_sandbox/requests/coverage', before: [me] },
  verifyRequests: {
    target: '/_sandbox/requests/verify',
    body: { operationId: 'getCurrentMember', caller: 1, count: 1 },
    before: [me],
  },
  listCollections: { target: '/_sandbox/data' },
  createRecordsOfCollections: {
    target: '/_sandbox/data',
    body: {
      customers: [{ id: 902, name: 'Gannet Freight' }],
      signals: [{ customerId: 902, status: 'closed' }],
    },
  },
  listRecords: { target: '/_sandbox/data/signals?limit=2' },
  createRecords: { target: '/_sandbox/data/signals', body: { customerId: 1, status: 'open', severity: 5 } },
  countRecords: { target: '/_sandbox/data/customers/counts?by=segment' },
  getRecord: { target: '/_sandbox/data/customers/1' },
  putRecord: {
    target: '/_sandbox/data/customers/901',
    body: { name: 'Tern & Co', segment: 'Enterprise' },
  },
  patchRecord: { target: renameCustomer.target, body: renameCustomer.body },
  deleteRecord: { target: '/_sandbox/data/customers/2' },
  getHistory: { target: '/_sandbox/data/history/customers/1', before: [renameCustomer] },
  listChanges: { target: '/_sandbox/data/changes', before: [renameCustomer] },
  undoChange: { target: '/_sandbox/data/changes/customers/1', before: [renameCustomer] },
  undoChanges: { target: '/_sandbox/data/changes', before: [renameCustomer] },
  saveState: { target: '/_sandbox/state', before: [renameCustomer] },
  restoreState: { target: '/_sandbox/state', before: [renameCustomer, saveState], file: 'state.json' },
  listScenarios: { target: '/_sandbox/scenarios', before: [addScenario] },
  addScenario: { target: '/_sandbox/scenarios', body: addScenario.body },
  clearScenarios: { target: '/_sandbox/scenarios', before: [addScenario] },
  listScenarioDefinitions: { target: '/_sandbox/scenarios/definitions' },
  removeScenario: { target: '/_sandbox/scenarios/scenario-1', before: [addScenario] },
  readTruth: { target: '/_sandbox/sync/truth?collection=customers&limit=2' },
  judgeSync: {
    target: '/_sandbox/sync/verdict',
    body: { copy: { customers: [1, 2] } },
    before: [send(`${home}/customers?limit=3`)],
  },
  listSessions: { target: '/_sandbox/sessions', before: [openSession] },
  openSession: { target: '/_sandbox/sessions', body: { id: 'checkout', now: '2026-03-01T09:00Z' } },
  ensureSession: { target: '/_sandbox/sessions/job-7', body: { name: 'Job 7' } },
  getSession: { target: '/_sandbox/sessions/checkout', before: [openSession] },
  deleteSession: { target: '/_sandbox/sessions/checkout', before: [openSession] },
}

/** Lists the requests of an example, the last one being the call itself. */
export const listSteps = (method: string, { before = [], ...call }: ControlExample): readonly Step[] => [
  ...before,
  { method, ...call },
]

/**
 * Creates a function that gives each example a sandbox as it starts. It generates the same dataset again, which costs less
 * than another sandbox; only the numbers of gates go on.
 */
export async function createFresh(
  options: DatasetOptions,
): Promise<(steps: readonly Step[]) => Promise<Sandbox>> {
  const shared = await createSandbox(options)
  return async (steps) => {
    if (steps.some(({ isHeld }) => isHeld === true)) return createSandbox(options)
    await shared.reseed({ seed: 42, future: 'still', ...options })
    return shared
  }
}

/** Sends the requests of an example, and returns the response to the last one. */
export async function runExample(
  steps: readonly Step[],
  fetch: (request: Request) => Promise<Response>,
): Promise<Response> {
  let saved = ''
  let last: Promise<Response> | undefined
  for (const { method, target, body, isHeld, file } of steps) {
    const read = file === undefined ? undefined : saved
    const sent = method === 'GET' ? undefined : (read ?? JSON.stringify(body))
    const headers = {
      ...(target.startsWith('/v1/') && { authorization: `Bearer ${token}` }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
    }
    last = fetch(new Request(`http://127.0.0.1:4500${target}`, { method, headers, body: sent ?? null }))
    // oxlint-disable-next-line no-await-in-loop -- A reader sends one after the other, too.
    if (isHeld !== true) saved = await (await last).clone().text()
  }
  if (!last) throw new Error('An example has a request.')
  return last
}
