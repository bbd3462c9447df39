import { http, type RequestHandler } from 'msw'

import type { Sandbox } from './sandbox.ts'

/** Where the code under test believes the service to be. */
export interface HandlerOptions {
  /** The service's base address, as the code under test has it: `https://api.example.com/v1`. */
  readonly baseUrl: string
}

/**
 * Request handlers for MSW that answer everything below a base address as the service does, in Node and in the
 * browser. What breaks a connection is a network error here.
 * @param sandbox a sandbox, or one of its sessions
 * Errors: TypeError for a base address that is none.
 */
export function sandboxHandlers(
  sandbox: { fetch(request: Request): ReturnType<Sandbox['fetch']> },
  { baseUrl }: HandlerOptions,
): RequestHandler[] {
  const base = addressOf(baseUrl)
  const below = new RegExp(`^${base.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?:/.*)?$`)
  const answer = async (request: Request): Promise<Response> => {
    const { method, headers, signal } = request
    const body = request.body && (await request.arrayBuffer())
    const address = `http://sandbox/v1${request.url.slice(base.length)}`
    return sandbox.fetch(new Request(address, { method, headers, body, signal }))
  }
  return [http.all(below, ({ request }) => answer(request).catch(() => Response.error()))]
}

/** A base address as requests spell it, without the slash at its end. */
function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) {
    throw new TypeError(
      `Cannot answer for ${baseUrl}: it is no absolute address. Give one like https://api.example.com/v1.`,
    )
  }
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}
