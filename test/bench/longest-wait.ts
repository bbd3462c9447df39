/**
 * Prints for each call of the control plane how long it makes all others wait at most: the CPU time of its longest turn of
 * the event loop, over a large tenant, with and without many changes.
 * Run it with: npx jiti test/bench/longest-wait.ts [customers] [changes]
 */
import { createSandbox } from '../../src/index.ts'
import { tableNames } from '../../src/store/tables.ts'

type Call = readonly [method: string, path: string, body?: unknown]

const size = Number(process.argv[2] ?? 20_000)
const changes = Number(process.argv[3] ?? 10_000)
/** The longest wait to accept. Units: ms. */
const LIMIT = 100

const sandbox = await createSandbox({ size })
const organization = sandbox.credentials.organizations[0]
const token = organization?.members[0]?.token
const lists = `/organizations/${organization?.id}`

let longest = 0
let isRunning = true
let before = process.cpuUsage()

/** Measures each turn of the event loop, and begins the next one. */
function turn(): void {
  const { user, system } = process.cpuUsage(before)
  longest = Math.max(longest, (user + system) / 1_000)
  before = process.cpuUsage()
  if (isRunning) setImmediate(turn)
}
setImmediate(turn)

const records = tableNames.flatMap((table): Call[] => [
  ['GET', `data/${table}?limit=10`],
  ['GET', `data/${table}?limit=10&offset=1000&organizationId=${organization?.id}`],
  ['GET', `data/${table}?text=zzz`],
  ['GET', `data/${table}/counts?by=organizationId`],
  ['GET', `data/${table}/counts?by=name`],
  ['POST', `data/${table}`, {}],
  ['POST', `data/${table}`, Array.from({ length: 200 }, () => ({}))],
  ['PUT', `data/${table}/3`, {}],
  ['PATCH', `data/${table}/3`, {}],
  ['PUT', `data/${table}/900001`, {}],
  ['GET', `data/${table}/3`],
  ['GET', `data/changes/${table}/3`],
  ['GET', `data/history/${table}/3`],
  ['DELETE', `data/changes/${table}/3`],
  ['DELETE', `data/${table}/3`],
  ['DELETE', `data/${table}/900001`],
])

const calls: readonly Call[] = [
  ['GET', 'health'],
  ['GET', 'credentials'],
  ['GET', 'overview'],
  ['GET', 'visibility'],
  ['GET', 'data'],
  ['POST', 'preview', { path: `${lists}/customers?scope=mine`, token }],
  ['POST', 'explain', { path: `${lists}/customers?scope=mine`, token, id: 5 }],
  ['POST', 'explain', { path: `${lists}/customers/5/signals`, token, id: 5 }],
  ['POST', 'explain', { path: `${lists}/signals?scope=team`, token, id: 5 }],
  ...records,
  ['PATCH', 'data/members/2', { managerId: 1 }],
  ['PATCH', 'data/products/1', { key: 'another' }],
  ['PATCH', 'data/automations/1', { triggers: [] }],
  ['POST', 'data', { customers: [{}, {}], signals: [{}, {}], meetings: [{}, {}], notes: [{}, {}] }],
  ['GET', 'data/changes'],
  ['GET', 'data/changes?latest=50'],
  ['GET', 'data/changes?since=0'],
  ['GET', 'sync/truth?collection=customers&as=1'],
  ['GET', 'sync/truth?collection=signals&as=1'],
  ['POST', 'sync/verdict?as=1', { copy: { customers: [1, 2, 3] } }],
  ['GET', 'requests?limit=50'],
  ['GET', 'requests/warnings'],
  ['GET', 'requests.har'],
  ['POST', 'requests/verify', { operationId: 'listCustomers', count: 1 }],
  ['POST', 'scenarios', { name: 'page-drift' }],
  ['POST', 'scenarios', { name: 'deleted' }],
  ['DELETE', 'scenarios'],
  ['PATCH', 'assumptions', { team: 'branch' }],
  ['GET', 'visibility'],
  ['POST', 'sessions', { from: 'default' }],
  ['PUT', 'clock', { now: '2026-03-01T00:00Z' }],
  ['POST', 'clock/advance', { by: 'P30D' }],
  ['GET', 'clock/events'],
  ['GET', 'clock/changes?since=2026-01-15T12:00Z'],
  ['DELETE', 'clock'],
  ['GET', 'state'],
  ['POST', 'sessions', { future: 'living', now: '2026-03-01T00:00Z' }],
]

async function measure(title: string, [method, path, body]: Call): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve))
  longest = 0
  const response = await sandbox.fetch(
    new Request(`http://sandbox/_sandbox/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  await new Promise((resolve) => setImmediate(resolve))
  results.push({ ms: longest, text: `${title} ${method} ${path}: ${response.status}` })
  return text
}

const results: { readonly ms: number; readonly text: string }[] = []
for (const call of calls) await measure('first', call)
for (const call of calls) await measure('again', call)
for (let made = 0; made < changes; made += 1_000) {
  const notes = Array.from({ length: Math.min(1_000, changes - made) }, (_, index) => ({
    customerId: 1 + index,
  }))
  await measure('1,000 records', ['POST', 'data/notes', notes])
}
for (const call of calls) await measure('changed', call)
const state = await measure('changed', ['GET', 'state'])
await measure('changed', ['PUT', 'state', JSON.parse(state)])
await measure('changed', ['POST', 'reset'])
await measure('changed', ['POST', 'reseed', { size }])
isRunning = false

for (const { ms, text } of results.toSorted((one, other) => other.ms - one.ms).slice(0, 40)) {
  console.log(`${ms.toFixed(0).padStart(6)} ms  ${text}`)
}
const over = results.filter(({ ms }) => ms > LIMIT).length
console.log(`${results.length} calls, ${over} of them with a turn over ${LIMIT} ms of CPU.`)
