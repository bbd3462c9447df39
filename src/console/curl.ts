import { adminToken, type Call } from './calls.ts'
import { session } from './place.ts'

/** A request that a shell is to send. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** A call to the control plane as a shell makes it; the admin token stays a variable. */
export function curlOf({ method, path, body }: Call, id: string | undefined = session.value): string {
  const headers = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(id !== undefined && { 'Sandbox-Session': id }),
  }
  const url = new URL(path, location.origin).href
  const text = curlText({
    method,
    url,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return adminToken.value === '' ? text : `${text} \\\n  -H "Authorization: Bearer $ADMIN_TOKEN"`
}

/** A request as a shell sends it, one option a line. */
export function curlText({ method, url, headers, body }: Sent): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined)
  const how = method === 'HEAD' ? ' --head' : isPlain ? '' : ` -X ${method}`
  return [
    `curl${how} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ')
}

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
