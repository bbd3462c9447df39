import { version } from '../core/version.ts'
import { type OperationId, operations } from '../resources/index.ts'
import { type Answer, findAddress, listRecords } from './answers.ts'
import { readEntries } from './har.ts'
import { isMember, plan, type PlannedRequest, type Step } from './plan.ts'

const probeLimits = {
  requests: 120,
  bytes: 16 * 1_048_576,
  timeoutMs: 15_000,
  intervalMs: 500,
} as const

/** The origin of no page, to see whether other origins may read answers. */
const ORIGIN = 'https://workspace-sandbox-calibrate.invalid'

/** The reason why a calibration against a tenant has stopped; the message quotes nothing that the tenant has sent. */
export class ProbeStopped extends Error {
  override readonly name = 'ProbeStopped'
}

export interface ProbeOptions {
  readonly baseUrl: string
  readonly token: string
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly timeoutMs?: number | undefined
  readonly pause?: (() => Promise<void>) | undefined
  readonly onRequest?: (line: string) => void
}

export const formatPlan = (): readonly string[] => plan.map(formatStep)

function formatStep({ operation, query, note, most }: Step): string {
  const times = most > 1 ? [`up to ${most} times`] : []
  const notes = [...(note === undefined ? [] : [note]), ...times]
  const line = `GET ${operations[operation].path}${query && `?${query}`}`
  return notes.length > 0 ? `${line}  # ${notes.join(', ')}` : line
}

export const countPlan = (): number =>
  Math.min(
    probeLimits.requests,
    plan.reduce((sum, { most }) => sum + most, 0),
  )

export function parseBaseUrl(text: string): { readonly baseUrl: string } | { readonly error: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    return { error: 'it must be a URL with its version, like https://api.example.com/v1' }
  }
  if (url.username || url.password) return { error: 'it must not have a user name or password' }
  if (url.search || url.hash) return { error: 'it must not have a query or fragment' }
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLoopback) {
    return { error: 'the token would be readable on the way. It must start with https://' }
  }
  return { baseUrl: url.href.replace(/\/$/, '') }
}

export async function probe(options: ProbeOptions): Promise<readonly Answer[]> {
  const { pause = waitInterval, onRequest } = options
  const answers: Answer[] = []
  let sent = 0
  for (const step of plan) {
    for (const request of step.choose(answers).slice(0, step.most)) {
      if (sent === probeLimits.requests) return answers
      onRequest?.(formatStep({ ...step, most: 1 }))
      // oxlint-disable-next-line no-await-in-loop -- later steps choose from earlier answers
      if (sent > 0) await pause()
      sent += 1
      // oxlint-disable-next-line no-await-in-loop -- as above
      const answer = await read(step.operation, toPath(step, request, answers), options)
      if (!answer) continue
      if (step.operation === 'getCurrentMember' && !isMember(answer)) throw describeFirst(answer)
      answers.push(answer)
      if (step.isEnough?.(answer)) break
    }
  }
  return answers
}

function describeFirst({ status, hasBody }: Answer): ProbeStopped {
  if (status === 401 || status === 403) {
    return new ProbeStopped(`the tenant rejects the token with status ${status}`)
  }
  const body = hasBody ? 'a body that is not a member' : 'no body'
  return new ProbeStopped(`GET /members/me answers with status ${status} and ${body}. Check the base URL`)
}

function toPath(
  { operation }: Step,
  { parameters = {}, query }: PlannedRequest,
  answers: readonly Answer[],
): string {
  const id = listRecords(answers, 'getCurrentMember')[0]?.['organizationId']
  const organizationId = typeof id === 'string' ? id : ''
  const values: Readonly<Record<string, string | number>> = { organizationId, ...parameters }
  const path = operations[operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
  return query ? `${path}?${query}` : path
}

/** Sends a request, and returns its answer as a HAR has it; undefined for an address outside of the document. @throws ProbeStopped */
async function read(
  operation: OperationId,
  path: string,
  options: ProbeOptions,
): Promise<Answer | undefined> {
  const url = `${options.baseUrl}${path}`
  if (!findAddress('GET', url)) return undefined
  const place = `GET ${operations[operation].path}`
  const { response, text } = await fetchText(url, place, options)
  const { status } = response
  if (status === 429 || status >= 500) {
    throw new ProbeStopped(`${place} answers with status ${status}. Try again later`)
  }
  if (status >= 300 && status < 400) {
    throw new ProbeStopped(`${place} redirects, which is not followed. Check the base URL`)
  }
  const allowed = response.headers.get('access-control-allow-origin')
  const entry = {
    request: { method: 'GET', url, headers: [{ name: 'origin', value: ORIGIN }] },
    response: {
      status,
      headers: allowed === null ? [] : [{ name: 'access-control-allow-origin', value: allowed }],
      content: { text },
    },
  }
  return readEntries([entry]).answers[0]
}

async function fetchText(
  url: string,
  place: string,
  { token, fetch = globalThis.fetch, timeoutMs = probeLimits.timeoutMs }: ProbeOptions,
) {
  const signal = AbortSignal.timeout(timeoutMs)
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    origin: ORIGIN,
    'user-agent': `workspace-sandbox/${version} (calibrate)`,
  }
  try {
    const response = await fetch(url, { method: 'GET', headers, redirect: 'manual', signal })
    return { response, text: await readBounded(response, signal, place) }
  } catch (error) {
    if (error instanceof ProbeStopped) throw error
    const fact = signal.aborted ? `does not answer within ${timeoutMs / 1_000} s` : 'cannot be reached'
    throw new ProbeStopped(`${place} ${fact}. Check the base URL and the network`)
  }
}

async function readBounded({ body }: Response, signal: AbortSignal, place: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  // Piped, because a response that was made in this process does not know the signal.
  const piped = body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
  for await (const part of piped ?? []) {
    length += part.length
    if (length > probeLimits.bytes) {
      const most = probeLimits.bytes / 1_048_576
      throw new ProbeStopped(`${place} answers with more than ${most} MiB. Check the base URL`)
    }
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

const waitInterval = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, probeLimits.intervalMs)
  })
