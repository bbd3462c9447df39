import type { BrowserContext, Request, Route } from '@playwright/test'

import { MAX_REDIRECTS, REDIRECTS } from '../follow-redirects.ts'

export interface PageTarget {
  readonly url: string
  readonly session: string
  /** The base URL that the pages call; undefined if they call the sandbox itself. */
  readonly apiUrl: string | undefined
  /** The origin of the application; undefined if it is not known. */
  readonly appOrigin: string | undefined
}

const SESSION_PATH = /^\/(?:v1|_sandbox(?!\/sessions\/))(?:\/|$)/

const HEADER = 'sandbox-session'

/**
 * Connects the pages of a browser context to a session. Requests to the sandbox get the `Sandbox-Session` header; requests
 * below `apiUrl` at another origin are forwarded to the sandbox. Other requests to the application name the session in their
 * `baggage`, which tracing libraries pass on to the calls that its server makes. Requests to any other origin are left
 * alone, so that no header reaches them and causes a preflight there.
 */
export async function routePages(context: BrowserContext, target: PageTarget): Promise<void> {
  const { session, apiUrl, appOrigin } = target
  const { origin } = new URL(target.url)
  const isOwn = (url: URL): boolean => url.origin === origin && SESSION_PATH.test(url.pathname)
  const isApi = (url: URL): boolean => apiUrl !== undefined && isBelow(url.href, apiUrl)
  await context.route(
    (url) => isOwn(url) || isApi(url) || url.origin === appOrigin,
    (route, request) => {
      const url = new URL(request.url())
      const headers = request.headers()
      if (isOwn(url)) return route.continue({ headers: { [HEADER]: session, ...headers } })
      if (isApi(url)) return forward(route, request, target)
      return route.fallback({ headers: { ...headers, baggage: addMember(headers['baggage'], session) } })
    },
  )
}

/** Adds the session to the baggage of a request, unless the page has named one. */
function addMember(baggage: string | undefined, session: string): string {
  if (baggage === undefined) return `${HEADER}=${session}`
  return baggage.includes(`${HEADER}=`) ? baggage : `${baggage},${HEADER}=${session}`
}

function isBelow(url: string, base: string): boolean {
  return url.startsWith(base) && /^(?:[/?#]|$)/.test(url.slice(base.length))
}

async function forward(route: Route, request: Request, target: PageTarget): Promise<void> {
  const { url, session, apiUrl = '' } = target
  const { origin, host: _, ...rest } = request.headers()
  // A page may call its own origin, which the sandbox does not know.
  const isForeign = origin !== undefined && origin !== new URL(request.url()).origin
  const headers = { [HEADER]: session, ...rest, ...(isForeign && { origin }) }
  const send = (address: string, asGet?: object) => {
    const forwarded = `${url}/v1${address.slice(apiUrl.length)}`
    return route.fetch({ url: forwarded, headers, timeout: 0, maxRedirects: 0, ...asGet })
  }
  try {
    let address = request.url()
    let response = await send(address)
    // A page that follows a redirect by itself sends a request that Playwright does not route.
    for (let count = 0; count < MAX_REDIRECTS && REDIRECTS.has(response.status()); count += 1) {
      const { location } = response.headers()
      address = location === undefined ? '' : new URL(location, address).href
      if (!isBelow(address, apiUrl)) break
      response = await send(address, response.status() > 303 ? undefined : { method: 'GET', postData: '' })
    }
    await route.fulfill({ response })
  } catch {
    // The page is closed, or a fault has broken the connection.
    await route.abort('connectionreset').catch(() => undefined)
  }
}
