import * as z from 'zod'

import { commonHeaders } from '../../http/headers.ts'

/** Header fields by name, names in lower case. */
export type HeaderFields = Readonly<Record<string, string>>

/** What frames a message or steers the connection; the last one is read by the Node server itself. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-hono-already-sent',
])

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/
const VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/
const MAX_FIELDS = 50
const MAX_VALUE = 4_096

/**
 * The header fields of an injected answer.
 * Errors: names and values that RFC 9110 does not know, framing headers, a name given twice in different case.
 */
export const HeaderInput = z
  .record(z.string(), z.union([z.string(), z.number()], 'must be a text or a number'), 'must be an object')
  .superRefine((fields, context) => {
    const names = Object.keys(fields)
    if (names.length > MAX_FIELDS) {
      context.addIssue({ code: 'custom', message: `must be ${MAX_FIELDS} header fields at most` })
    }
    const seen = new Set<string>()
    for (const [name, value] of Object.entries(fields)) {
      const message = fault(name, String(value), seen)
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
      seen.add(name.toLowerCase())
    }
  })
  .transform((fields): HeaderFields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), String(value)])),
  )

function fault(name: string, value: string, seen: ReadonlySet<string>): string | undefined {
  if (!NAME.test(name)) return 'is no name of a header field'
  if (FRAMING.has(name.toLowerCase())) return 'frames the message, which is left to the server'
  if (name.toLowerCase() === 'sandbox-fault') return 'is set by the sandbox'
  if (seen.has(name.toLowerCase())) return 'is given twice'
  if (value.length > MAX_VALUE) return `must have at most ${MAX_VALUE} characters`
  return VALUE.test(value) ? undefined : 'is no value of a header field'
}

/** Header fields that pages of other origins may read, as those of every answer. */
export function exposed(fields: HeaderFields): HeaderFields {
  const expose = 'access-control-expose-headers'
  return { ...fields, [expose]: [commonHeaders[expose], ...Object.keys(fields)].join(', ') }
}
