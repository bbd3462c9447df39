import type { Overview } from '../../../control/routes/overview.ts'
import type { Fault } from '../../../faults/fault.ts'
import { parseJson } from '../../components/schema.ts'
import type { HttpRequest } from '../../curl.ts'
import type { Answer } from './answer.ts'
import { type Levers, listMoves } from './levers.ts'

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

/** A request to repeat in a test, with the response to expect; its body is not expected if it is empty. */
export interface Tested extends Pick<Answer, 'status' | 'text'> {
  readonly request: HttpRequest
  /** The URL without its base. */
  readonly target: string
  readonly clock: string
  readonly levers: Levers
  /** The id of the fault that acted on it. */
  readonly fault: string | undefined
}

/** The largest body to expect in a test. Units: characters. */
const MAX_EXPECTED = 2_000

export function formatTest(tested: Tested, dataset: Overview | undefined, faults: readonly Fault[]): string {
  const { request, target, clock, levers } = tested
  const { seed, size, fixture = 'default' } = dataset ?? {}
  const named = fixture === 'default' ? '' : `, fixture: ${literal(fixture)}`
  const options = dataset ? `{ seed: ${seed}, size: ${size}${named} }` : ''
  const steps = [
    `sandbox.clock.set(${literal(clock)})`,
    ...listMoves(levers).flatMap(({ statement }) => statement || []),
    ...formatFault(tested, faults),
    ...formatStep(tested),
  ]
  return [
    "import { expect } from 'vitest'",
    "import { createTest } from 'workspace-sandbox/vitest'",
    '',
    `const test = createTest(${options})`,
    ...(levers.assume === undefined ? [] : [`test.override('sandboxAssumptions', ${levers.assume})`]),
    '',
    `test(${literal(`${request.method} ${target}`)}, async ({ baseUrl, sandbox }) => {`,
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
  const malfunction = isEndless ? 'hang' : status === 'no response' ? 'reset' : status
  const derived = typeof status === 'number' ? { status } : { malfunction }
  const effect = fields.length > 0 ? Object.fromEntries(fields) : derived
  return [`sandbox.faults.add(${literal({ ...effect, times: 1 })})`]
}

function formatStep({ status, text, target, request }: Tested): readonly string[] {
  const isEndless = status === 'hang' || status === 'aborted' || status === 'pending'
  const limit = isEndless ? 'signal: AbortSignal.timeout(1_000),' : ''
  const path = literal(target.replace(/^\/v1(?=\/)/, ''))
  const call = `fetch(baseUrl + ${path}, ${formatInit(request, limit)})`
  if (typeof status !== 'number') {
    return [`await expect(${call}.then((response) => response.text())).rejects.toThrow()`]
  }
  const isExpected = text.length <= MAX_EXPECTED && parseJson(text) !== undefined
  return [
    `const response = await ${call}`,
    `expect(response.status).toBe(${status})`,
    ...(isExpected ? [`expect(await response.json()).toEqual(${text})`] : []),
  ]
}
