import type { JournalEntry } from '../../../testing/journal/view.ts'
import type { ListedChange } from '../../../testing/records/types.ts'
import { createHeaders, read } from '../../calls.ts'
import {
  baseUrl,
  dropReport,
  formatCurl,
  getTarget,
  prepare,
  routes,
  type HttpRequest,
} from '../../client.ts'
import { tryJson } from '../../components/schema.ts'
import { overview } from '../../live.ts'
import { references, isRecord } from '../data/collections.ts'

/** Headers that concern the connection, or that curl adds itself. */
const OWN = /^(?:host|connection|content-length|user-agent|accept|accept-.*|sec-.*|origin|referer|cookie)$/

/** Rebuilds a recorded request. @param token the token of its caller, which the journal masks */
export function rebuild({ method, request, ...rest }: JournalEntry, token: string | undefined): HttpRequest {
  const own = Object.entries(request.headers).filter(([name]) => !OWN.test(name))
  const headers = own.map(([name, value]) => [name, token ? value.replace('***', token) : value])
  const target = getTarget(rest)
  const url = target.startsWith('/v1/') ? baseUrl() + target.slice('/v1'.length) : location.origin + target
  return { method, url, headers: Object.fromEntries(headers), body: request.body }
}

const format = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ')

const formatOptions = ({ method, headers, body }: HttpRequest, bodyName: string): string =>
  format({ method, headers, ...(body !== undefined && { [bodyName]: body }) })

export const formatFetch = (request: HttpRequest): string =>
  `const response = await fetch(${toLiteral(request.url)}, ${formatOptions(request, 'body').replaceAll('\n  ', '\n')})
console.log(response.status, await response.text())
`

export async function formatState(): Promise<string> {
  const state = await read(prepare('get', routes.state))
  const headers = { ...createHeaders(), 'Content-Type': 'application/json' }
  return formatCurl({
    method: 'PUT',
    url: location.origin + routes.state.$path(),
    headers,
    body: JSON.stringify(state),
  })
}

const runners = {
  Vitest: {
    imports: `import { expect } from 'vitest'\nimport { createTest } from 'workspace-sandbox/vitest'`,
    fixtures: 'sandbox',
    wait: '',
    send: (target: string, request: HttpRequest) =>
      `await sandbox.fetch(${toLiteral(target)}, ${formatOptions(request, 'body')})`,
    status: 'response.status',
  },
  Playwright: {
    imports: `import { expect } from '@playwright/test'\nimport { createTest } from 'workspace-sandbox/playwright'`,
    fixtures: 'sandbox, baseUrl, request',
    wait: 'await ',
    send: (target: string, request: HttpRequest) =>
      `await request.fetch(baseUrl + ${toLiteral(target.replace(/^\/v1/, ''))}, ${formatOptions(request, 'data')})`,
    status: 'response.status()',
  },
} as const
export type Runner = keyof typeof runners
export const runnerNames = ['Vitest', 'Playwright'] as const

/** Formats a test that arranges the data of a recorded request, sends it, and expects its response. */
export async function formatTest(name: Runner, entry: JournalEntry, request: HttpRequest): Promise<string> {
  const { imports, fixtures, wait, send, status } = runners[name]
  const target = getTarget(entry)
  const steps = await listSteps(entry)
  const body = tryJson(entry.response?.body ?? '')?.json
  return [
    imports,
    '',
    `const test = createTest(${JSON.stringify(readDataset())})`,
    '',
    `test(${toLiteral(`${entry.method} ${target} is answered with ${entry.status}`)}, async ({ ${fixtures} }) => {`,
    ...steps.map((step) => `  ${step.startsWith('sandbox.data') ? 'await ' : wait}${step}`),
    `  const response = ${send(target, request)}`,
    `  expect(${status}).toBe(${entry.status})`,
    ...(body === undefined ? [] : [`  expect(await response.json()).toEqual(${format(body)})`]),
    '})',
    '',
  ].join('\n')
}

const toLiteral = (text: string): string => `'${text.replace(/['\\]/g, String.raw`\$&`)}'`

function readDataset(): object {
  const { seed, size, fixture, future, now = '', movedMs = 0 } = overview.peek() ?? {}
  const start = new Date(Date.parse(now) - movedMs).toISOString()
  return { seed, size, fixture, now: start, ...(future === 'living' && { future }) }
}

/** Lists the calls that arrange what a request has seen: the time, the changes before it, and the fault that acted. */
async function listSteps({ id, time, fault }: JournalEntry): Promise<readonly string[]> {
  const query = { latest: '250' }
  const changes = (await read(prepare('get', routes.data.changes, { query }))).items
  const faults = fault === undefined ? [] : (await read(prepare('get', routes.faults))).items
  const written = changes.filter(({ by, request = 0 }) => by !== 'clock' && request < id).toReversed()
  const deleted = new Set(written.map((one) => (one.kind === 'deleted' ? `${one.collection} ${one.id}` : '')))
  // A record takes its parts along.
  const isPart = ({ kind, before }: ListedChange): boolean =>
    kind === 'deleted' &&
    Object.entries(before ?? {}).some(([name, value]) =>
      deleted.has(`${references.get(name)} ${String(value)}`),
    )
  return [
    `sandbox.clock.set('${time}')`,
    ...written.filter((one) => !isPart(one)).map(formatChange),
    ...faults
      .filter((one) => one.id === fault)
      .map((one) => `sandbox.faults.add(${format(dropReport(one))})`),
  ]
}

function formatChange({ collection, id, kind, fields = [], after }: ListedChange): string {
  const at = `sandbox.data.${collection}`
  if (kind === 'deleted') return `${at}.delete(${id})`
  if (kind === 'created') return `${at}.put(${format(after)})`
  const changed = fields.map((name) => [name, isRecord(after) ? after[name] : undefined] as const)
  return `${at}.patch(${id}, ${format(Object.fromEntries(changed))})`
}
