import type { JournalEntry } from '../../../control/journal/view.ts'
import type { Sent } from '../../curl.ts'

/** What a client adds by itself, or what means something to its connection only. */
const OWN =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|upgrade|expect|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|priority|dnt|cookie|sec-.*)$/

/**
 * A request as it is sent again: with what a client adds by itself left out.
 * @param token whose place the journal shows as `***`; undefined where nobody knows it
 */
export function replayOf({ method, url, request }: JournalEntry, token: string | undefined): Sent {
  const kept = Object.entries(request.headers).filter(([name]) => !OWN.test(name))
  const headers = Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name === 'authorization' && token !== undefined ? `Bearer ${token}` : value,
    ]),
  )
  return { method, url, headers, body: request.body }
}

/** A request as a JavaScript program sends it. */
export function fetchText({ method, url, headers, body }: Sent): string {
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)},`]),
    'headers: {',
    ...Object.entries(headers).map(([name, value]) => `  ${literal(name)}: ${literal(value)},`),
    '},',
    ...(body === undefined ? [] : [`body: ${literal(body)},`]),
  ]
  return `const response = await fetch(${literal(url)}, {\n${lines.map((line) => `  ${line}\n`).join('')}})`
}

const literal = (text: string): string => JSON.stringify(text)
