import { http, type RequestHandler } from 'msw'

import type { Sandbox } from './sandbox/sandbox.ts'

/** The options of `sandboxHandlers`. */
export interface HandlerOptions {
  /** The base URL that the code under test calls. @example 'https://api.example.com/v1' */
  readonly baseUrl: string
}

/**
 * Creates MSW request handlers that respond to every request below a base URL like the service, in Node and in browsers.
 * A fault that breaks the connection becomes a network error.
 * @param sandbox a sandbox or one of its sessions
 * @throws TypeError if the base URL is invalid, or the sandbox a promise
 * @example
 * const server = setupServer(...sandboxHandlers(sandbox, { baseUrl: 'https://api.example.com/v1' }))
 */
export function sandboxHandlers(
  sandbox: { fetch(request: Request): ReturnType<Sandbox['fetch']> },
  { baseUrl }: HandlerOptions,
): RequestHandler[] {
  // Else every request would be a network error.
  if (sandbox instanceof Promise)
    throw new TypeError('sandboxHandlers needs a sandbox or a session (got a promise). Await createSandbox.')
  const base = normalizeBaseUrl(baseUrl)
  const below = new RegExp(`^${base.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?:/.*)?$`)
  const respond = async (request: Request): Promise<Response> => {
    const { method, headers, signal } = request
    const body = request.body && (await request.arrayBuffer())
    const url = `http://sandbox/v1${request.url.slice(base.length)}`
    // MSW follows redirects as the request says.
    return sandbox.fetch(new Request(url, { method, headers, body, signal, redirect: 'manual' }))
  }
  return [http.all(below, ({ request }) => respond(request).catch(() => Response.error()))]
}

function normalizeBaseUrl(baseUrl: string): string {
  // Without a scheme, localhost:4500 has the scheme localhost.
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new TypeError(
      `Invalid baseUrl ${baseUrl}: it must be an absolute URL like https://api.example.com/v1.`,
    )
  }
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}
