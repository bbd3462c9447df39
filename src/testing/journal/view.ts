import * as z from 'zod'

import { readErrorBody } from '../../core/errors.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { toSystemTime } from '../../core/system-clock.ts'
import { shorten } from '../../core/words.ts'
import { decodePart } from '../../service/match-route.ts'
import { type RecordedRequest, interruptions, toTarget } from './recorded-request.ts'
import { Warning } from './warnings.ts'

export const Caller = lazyObject(() => ({ id: z.int(), name: z.string(), organizationId: z.string() }))
export type Caller = z.infer<typeof Caller>

const QueryParameter = lazyObject(() => ({ name: z.string(), value: z.string() }))
type QueryParameter = z.infer<typeof QueryParameter>

export const RequestSummary = lazyObject(() => ({
  id: z.int().describe('1 for the first request of the session'),
  time: z.string().describe("The session's time"),
  startedMs: z.number().describe('Real time in milliseconds since the process of the sandbox started'),
  startedAt: z.string().describe('Real time'),
  session: z.string().describe('The id of the session; `default` for the default session'),
  method: z.string(),
  path: z
    .string()
    .describe('The path from `/v1` on, without the query; as it was sent if the service is elsewhere'),
  query: z.array(QueryParameter).describe('The query parameters in the order of the request'),
  url: z.string(),
  operationId: z.string().optional().describe('Absent if no operation has this path'),
  caller: Caller.optional().describe('Absent if the token belongs to no member'),
  status: z
    .union([z.int(), z.enum([...interruptions, 'pending'])])
    .describe('The status of the response, the way in which it was interrupted, or `pending`'),
  durationMs: z.number().optional().describe('Absent until the request is answered'),
  bytes: z.int().optional().describe('The size of the body of the response'),
  problem: z
    .string()
    .optional()
    .describe('The explanation in the body of an error, up to 200 characters; absent if there is none'),
  warnings: z.array(Warning),
  fault: z.string().optional().describe('The id of the fault that acted on the request'),
  scenarios: z
    .array(
      z.object({ id: z.string(), name: z.string(), did: z.string().describe('As in `deleted customer 3`') }),
    )
    .optional()
    .describe('The scenarios that acted on the request; absent if none did'),
}))
export type RequestSummary = z.infer<typeof RequestSummary>

const RecordedMessage = lazyObject(() => ({
  headers: z.record(z.string(), z.string()).describe('Names are in lower case'),
  body: z
    .string()
    .optional()
    .describe('Absent if the message has no body, or the body was not read or was evicted'),
  bodyBytes: z.int().optional().describe('The size of the whole body in bytes of UTF-8'),
  truncated: z.literal(true).optional().describe('Present if the body is incomplete'),
}))
type RecordedMessage = z.infer<typeof RecordedMessage>

export const JournalEntry = lazyObject(() => ({
  ...RequestSummary.shape,
  request: RecordedMessage,
  response: RecordedMessage.optional().describe('Absent until the request is answered'),
}))
export type JournalEntry = z.infer<typeof JournalEntry>

/** The maximum length of a shown body. Units: bytes. */
export const MAX_RECORDED = 65_536

/** @param warnings about the request; by default those that follow from it alone */
export function toSummary(
  entry: RecordedRequest,
  session: string,
  warnings = entry.warnings,
): RequestSummary {
  const { id, time, startedMs, method, endpoint, status, durationMs, faultId, scenarios } = entry
  const bytes = entry.responseBody?.length
  const isProblem = Number(status) >= 400 && (bytes ?? Infinity) <= MAX_PROBLEM
  return {
    id,
    time,
    startedMs: roundMs(startedMs),
    startedAt: toSystemTime(startedMs),
    session,
    method,
    path: maskTokens(entry.path),
    query: parseQuery(entry),
    url: maskUrl(entry.url),
    operationId: endpoint?.id,
    caller: toCaller(entry),
    status,
    durationMs: durationMs === undefined ? undefined : roundMs(durationMs),
    bytes,
    problem: isProblem ? readErrorText(entry)?.slice(0, 200) : undefined,
    warnings: warnings.map((warning) => ({ ...warning, requestIds: [...warning.requestIds] })),
    fault: faultId,
    scenarios:
      scenarios.length > 0
        ? scenarios.map(({ id: actId, name, did }) => ({ id: actId, name, did }))
        : undefined,
  }
}

/** The largest error body to read. Units: bytes. */
const MAX_PROBLEM = 10_000

export const readErrorText = (entry: RecordedRequest): string | undefined =>
  readErrorBody(readResponseBody(entry) ?? '').detail

export function toJournalEntry(
  entry: RecordedRequest,
  session: string,
  warnings?: readonly Warning[],
): JournalEntry {
  const { response } = entry
  const headers = maskRequestHeaders(entry)
  const announced = Number(headers['content-length']) || 0
  return {
    ...toSummary(entry, session, warnings),
    request: { headers, ...cutBody(readRequestBody(entry), entry, announced) },
    response: response && {
      headers: maskResponseHeaders(entry),
      ...cutBody(readResponseBody(entry), entry),
    },
  }
}

/** Rounds to the microsecond. Units: milliseconds. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000

export function toCaller({ caller }: Pick<RecordedRequest, 'caller'>): Caller | undefined {
  if (!caller) return undefined
  const { id, firstName, lastName, organizationId } = caller
  return { id, name: `${firstName} ${lastName}`, organizationId }
}

const MAX_TARGET = 200

interface NamedEntry extends Pick<RecordedRequest, 'id' | 'method' | 'url'> {
  readonly caller?: Pick<Caller, 'organizationId'> | undefined
}

/**
 * Names a request as its client knows it; `…` is the base URL, with the caller's organization.
 * Example: `request 5, GET …/customers?limit=50`.
 */
export function nameEntry({ id, method, url, caller }: NamedEntry): string {
  const target = maskUrl(toTarget(url))
  const bases = [`/v1/organizations/${caller?.organizationId}/`, '/v1/']
  const base = bases.find((one) => target.startsWith(one))
  const shown = base === undefined ? target : `…/${target.slice(base.length)}`
  const text = maskTokens(shown.replaceAll(/%[2-7][0-9a-f]/gi, decodeURIComponent))
  return `request ${id}, ${method} ${shorten(text, MAX_TARGET)}`
}

export function parseQuery({ search }: RecordedRequest): QueryParameter[] {
  return Array.from(new URLSearchParams(search), ([name, value]) => ({
    name,
    value: SECRET_PARAMETER.test(name) ? MASK : maskTokens(value),
  }))
}

export function maskRequestHeaders({ headers }: RecordedRequest): Record<string, string> {
  const masked: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase()
    const value = maskHeader(name, headers[at + 1] ?? '')
    masked[name] = masked[name] === undefined ? value : `${masked[name]}, ${value}`
  }
  return masked
}

export function maskResponseHeaders({ response }: RecordedRequest): Record<string, string> {
  const headers = Object.entries(response?.headers ?? {})
  return Object.fromEntries(headers.map(([name, value]) => [name, maskHeader(name, value)]))
}

export function readRequestBody({ requestBody }: RecordedRequest): string | undefined {
  return requestBody && maskTokens(new TextDecoder().decode(requestBody))
}

export function readResponseBody({ responseBody }: RecordedRequest): string | undefined {
  return responseBody && maskTokens(new TextDecoder().decode(responseBody.bytes))
}

export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length
}

function cutBody(
  body: string | undefined,
  { hasBodies }: RecordedRequest,
  announced = 0,
): Omit<RecordedMessage, 'headers'> {
  if (body === undefined) return { body, bodyBytes: undefined, ...(!hasBodies && { truncated: true }) }
  const bodyBytes = countBytes(body)
  if (bodyBytes <= MAX_RECORDED) return { body, bodyBytes }
  const { read } = new TextEncoder().encodeInto(body, new Uint8Array(MAX_RECORDED))
  // Only the start of a body that is too large was read.
  return { body: body.slice(0, read), bodyBytes: Math.max(bodyBytes, announced), truncated: true }
}

const MASK = '***'
const TOKEN = /sbx_[\w.~-]+/g
const SCHEME = /^(Bearer|Basic|Digest) +\S/i
const SECRET_HEADER = /(?:authorization|cookie|api-?key|token|secret|password)$/
const SECRET_PARAMETER =
  /^(?:(?:access|auth|refresh|id)?[_-]?token|api[_-]?key|(?:client[_-]?)?secret|password|authorization)$/i

export function maskTokens(text: string): string {
  return text.includes('sbx_') ? text.replaceAll(TOKEN, MASK) : text
}

export function maskUrl(url: string): string {
  const start = url.indexOf('?') + 1
  if (start === 0) return maskTokens(url)
  const parameters = url
    .slice(start)
    .split('&')
    .map((parameter) => {
      const name = parameter.slice(0, Math.max(0, parameter.indexOf('=')))
      return SECRET_PARAMETER.test(decodePart(name)) ? `${name}=${MASK}` : parameter
    })
  return maskTokens(url.slice(0, start) + parameters.join('&'))
}

/** Masks secrets in the value of a header: an authorization keeps its scheme, a cookie nothing. */
function maskHeader(name: string, value: string): string {
  if (!SECRET_HEADER.test(name)) return maskTokens(value)
  const scheme = name.endsWith('authorization') ? SCHEME.exec(value)?.[1] : undefined
  return scheme === undefined ? MASK : `${scheme} ${MASK}`
}
