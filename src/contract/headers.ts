/** The headers of every response. Source: assumption A-17. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Sandbox-Warning, Sandbox-Fault, Retry-After',
  'x-content-type-options': 'nosniff',
}

/** The names of the CORS headers. */
export const corsHeaders: ReadonlySet<string> = new Set(
  Object.keys(commonHeaders).filter((name) => name.startsWith('access-control-')),
)

/** Responds to a preflight, with further headers. Source: assumption A-17. */
export function preflightResponse(methods: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...commonHeaders,
      ...headers,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'authorization, content-type, sandbox-session',
      'access-control-max-age': '600',
    },
  })
}
