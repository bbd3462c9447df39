import { getPath } from 'hono/utils/url'
import * as z from 'zod'

import { invalidRequest } from '../contract/errors.ts'
import { bodyErrors } from '../contract/issues.ts'
import type { Exchange } from '../http/exchange.ts'
import { routeAt } from '../http/match.ts'
import type { ServiceRequest } from '../http/request.ts'
import { jsonOf } from '../http/serialise.ts'
import type { Reading } from '../store/reading.ts'
import { Entry } from './journal/entry.ts'
import type { Session } from './sessions/session.ts'

/** A request that is looked at, not sent. */
export const AskedInput = z.strictObject({
  /** With query, as a client would send it; with or without `/v1`. */
  path: z.string().regex(/^\/[^#]*$/, 'must start with / and have no #'),
  token: z.string(),
})

/** Such a request as it is used. */
export interface Asked extends z.output<typeof AskedInput> {
  readonly method: string
  /** Sent as JSON; undefined for none. */
  readonly body?: unknown
}

/** What is given with such a request. Errors: invalid_request that names each field, an unknown one with the nearest. */
export function parsedAsked<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw invalidRequest(bodyErrors(parsed.error.issues, Object.keys(schema.shape)))
}

/**
 * A request as the service's own steps take it. Its entry is in no journal.
 * @param data the session's
 */
export function exchangeOf<D extends Reading>(
  session: Session,
  asked: Asked,
  data: D,
): Exchange & { readonly data: D } {
  const request = requestOf(asked)
  const { method, path, url, headers } = request
  const route = routeAt(method, path)
  const arrival = { method, url, headers, credential: undefined }
  const entry = new Entry(1, session.clock.now(), arrival, route?.endpoint, 0)
  return { request, session, data, route, entry, caller: undefined, body: undefined }
}

/** Method and path of a request, from `/v1` on. */
export function requestText({ request: { method, url } }: Exchange): string {
  return `${method} ${url.slice(ORIGIN.length)}`
}

/** What the answer's `Sandbox-Warning` says of the request itself. */
export function warningTexts({ entry }: Exchange): string[] {
  return entry.warnings.map(({ message }) => message)
}

const ORIGIN = 'http://sandbox'

function requestOf({ method, path, token, body }: Asked): ServiceRequest {
  const isWhole = /^\/v1(?:[/?]|$)/.test(path)
  const headers = new Map([
    ['authorization', `Bearer ${token}`],
    ['content-type', 'application/json'],
  ])
  const { url } = new Request(`${ORIGIN}${isWhole ? '' : '/v1'}${path}`)
  return {
    method,
    url,
    path: getPath(new Request(url)),
    base: undefined,
    headers: [],
    signal: new AbortController().signal,
    head: undefined,
    header: (name) => headers.get(name),
    bytes: () => Promise.resolve(body === undefined ? new Uint8Array() : jsonOf(JSON.stringify(body))),
  }
}
