/**
 * The headers of every answer: readable from any origin, never sniffed.
 * Source: assumption A-17.
 */
export const commonHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Sandbox-Warning, Sandbox-Fault, Retry-After',
  'x-content-type-options': 'nosniff',
}

/** The answer to a preflight. Source: assumption A-17. */
export function preflightResponse(methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...commonHeaders,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'authorization, content-type, sandbox-session',
      'access-control-max-age': '600',
    },
  })
}

const LONE_SURROGATE = /\p{Surrogate}/gu
const MAX_NAMES = 5
const MAX_NAME_LENGTH = 60

/**
 * The text that tells of query parameters that nobody reads.
 * Shape: names percent-encoded and cut at 60 characters, five at most, then the count of the rest.
 * Source: assumption A-15.
 */
export function unknownParametersWarning(names: readonly string[]): string {
  const shown = names
    .slice(0, MAX_NAMES)
    .map((name) => encodeURIComponent(name.replaceAll(LONE_SURROGATE, '')).slice(0, MAX_NAME_LENGTH))
  const rest = names.length - shown.length
  return `unknown query parameters ignored: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
