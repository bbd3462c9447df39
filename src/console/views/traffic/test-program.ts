import type { Overview } from '../../../control/routes/overview.ts'
import type { Fault } from '../../../faults/fault.ts'
import type { JournalEntry } from '../../../journal/view.ts'
import type { CastMember } from '../../components/cast.tsx'
import { type HttpRequest, getTarget } from '../../curl.ts'
import { toReplay } from './answer.ts'
import { type Levers, listMoves } from './levers.ts'

/** Converts a journal entry to a request to send again, with the caller's token in place of the journal's `***`. */
function toRequest(
  { method, url, request: { headers, body }, caller }: Tested,
  members: readonly CastMember[],
): HttpRequest {
  return toReplay({ method, url, headers, body }, members.find(({ id }) => id === caller?.id)?.token)
}

/** Formats the options of `fetch`, with another line. */
function formatInit({ method, headers, body }: HttpRequest, more: string): string {
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)},`]),
    `headers: ${literal(headers)},`,
    ...(body === undefined ? [] : [`body: ${literal(body)},`]),
    ...(more === '' ? [] : [more]),
  ]
  return `{\n${lines.map((line) => `    ${line}\n`).join('')}  }`
}

const literal = (value: unknown): string => JSON.stringify(value)

/** A request to repeat in a test, with the response to expect. */
export type Tested = Pick<
  JournalEntry,
  'method' | 'url' | 'path' | 'time' | 'caller' | 'status' | 'fault'
> & {
  readonly request: Pick<JournalEntry['request'], 'headers' | 'body'>
  readonly response?:
    | Pick<NonNullable<JournalEntry['response']>, 'headers' | 'body' | 'truncated'>
    | undefined
}

export interface TestBasis {
  readonly dataset: Pick<Overview, 'seed' | 'size' | 'fixture'> | undefined
  readonly faults: readonly Fault[]
  readonly members: readonly CastMember[]
  readonly levers: Levers
}

/** The largest body to expect in a test. Units: characters. */
const MAX_EXPECTED = 2_000

export function formatTest(
  entries: readonly Tested[],
  { dataset, faults, members, levers }: TestBasis,
): string {
  const [first] = entries
  if (!first) return ''
  const title = `${first.method} ${getTarget(first)}${entries.length > 1 ? ` and ${entries.length - 1} more` : ''}`
  const { seed, size, fixture = 'default' } = dataset ?? {}
  const named = fixture === 'default' ? '' : `, fixture: ${literal(fixture)}`
  const options = dataset ? `{ seed: ${seed}, size: ${size}${named} }` : ''
  const steps = entries.flatMap((entry, at) => [
    ...(entry.time === entries[at - 1]?.time ? [] : [`sandbox.clock.set(${literal(entry.time)})`]),
    ...(at === 0 ? listMoves(levers).flatMap(({ statement }) => statement || []) : []),
    ...formatFault(entry, faults),
    ...formatStep(entry, toRequest(entry, members), entries.length > 1 ? `${at + 1}` : ''),
  ])
  return [
    "import { expect } from 'vitest'",
    "import { createTest } from 'workspace-sandbox/vitest'",
    '',
    `const test = createTest(${options})`,
    ...(levers.assume === undefined ? [] : [`test.override('sandboxAssumptions', ${levers.assume})`]),
    '',
    `test(${literal(title)}, async ({ baseUrl, sandbox }) => {`,
    ...steps.map((step) => `  ${step}`),
    '})',
    '',
  ].join('\n')
}

/** The fields of a fault that do not depend on how often it acted. */
const effects = [
  'status',
  'body',
  'headers',
  'retryAfterSeconds',
  'delayMs',
  'malfunction',
  'stored',
] as const

/** Formats the fault that acted on a request; one that no longer exists is derived from the response. */
function formatFault({ fault, status }: Tested, faults: readonly Fault[]): readonly string[] {
  if (fault === undefined || fault === 'prefer') return []
  const known = faults.find(({ id }) => id === fault)
  const fields = effects.flatMap((name) =>
    known?.[name] === undefined ? [] : [[name, known[name]] as const],
  )
  const isEndless = status === 'aborted' || status === 'pending'
  const derived = typeof status === 'number' ? { status } : { malfunction: isEndless ? 'hang' : status }
  const effect = fields.length > 0 ? Object.fromEntries(fields) : derived
  return [`sandbox.faults.add(${literal({ ...effect, times: 1 })})`]
}

function formatStep(
  { status, url, path, response }: Tested,
  sent: HttpRequest,
  at: string,
): readonly string[] {
  const target = literal(getTarget({ url, path }).replace(/^\/v1(?=\/)/, ''))
  const isEndless = status === 'hang' || status === 'aborted' || status === 'pending'
  const limit = isEndless ? 'signal: AbortSignal.timeout(1_000),' : ''
  const call = `fetch(baseUrl + ${target}, ${formatInit(sent, limit)})`
  if (typeof status !== 'number') {
    return [`await expect(${call}.then((response) => response.text())).rejects.toThrow()`]
  }
  const { body, truncated } = response ?? {}
  const isJson = response?.headers['content-type']?.includes('json') === true
  const isExpected = isJson && body !== undefined && !truncated && body.length <= MAX_EXPECTED
  return [
    `const response${at} = await ${call}`,
    `expect(response${at}.status).toBe(${status})`,
    ...(isExpected ? [`expect(await response${at}.json()).toEqual(${body})`] : []),
  ]
}
