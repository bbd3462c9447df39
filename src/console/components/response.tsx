import { Json } from './json.tsx'

/** A response of the service, as it was received. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The real duration. Units: milliseconds. */
  readonly request: string
}

/** A request to the service. */
export interface ServiceRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** Sends a request to the service, which records it. @throws TypeError if there is no response */
export async function sendToService({
  method,
  url,
  headers,
  body,
}: ServiceRequest): Promise<ServiceResponse> {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const response = await fetch(url, { method, headers, ...(hasBody && { body }) })
  const { status } = response
  const text = await response.text()
  return { status, headers: Object.fromEntries(response.headers), text, request: `${method} ${url}` }
}

/** Parses JSON; undefined if it is invalid. */
export function parseJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Renders a body: JSON formatted, anything else as text. */
export function Body({ text, openDepth }: { readonly text: string; readonly openDepth?: number }) {
  const parsed = parseJson(text)
  if (text === '') return <p class="hint">Empty body.</p>
  return parsed ? <Json value={parsed.json} openDepth={openDepth} /> : <pre class="body">{text}</pre>
}
