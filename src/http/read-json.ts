import type { MiddlewareHandler } from 'hono'

import { invalidRequest, SandboxError } from '../core/errors.ts'
import { isNestedTooDeep, nestedTooDeep } from '../core/json.ts'
import type { Env } from './env.ts'
import { readBytes, refuseCompressed, unsupported } from './read-bytes.ts'

/** The most that a request to the service may send. Units: bytes. Source: assumption A-17. */
const MAX_BODY = 1_048_576

/** NOTE: some clients write the charset as `UTF8`. */
const MEDIA_TYPE = /^application\/json *(?:; *charset *= *(?:utf-?8|"utf-?8") *)?$/i

/** Reads the body, and hands its text to the validator. Errors: 413, 415, 400. Source: assumption A-17. */
export const readJson: MiddlewareHandler<Env> = async (c, next) => {
  const bytes = await readBody(c.req.raw)
  c.set('requestBody', bytes)
  const mediaType = c.req.header('content-type')
  if (mediaType === undefined || !MEDIA_TYPE.test(mediaType.trim())) {
    const fact = mediaType === undefined ? 'The request has no Content-Type.' : unsupported('Type', mediaType)
    throw new SandboxError('unsupported_media_type', `${fact} Send application/json in UTF-8.`)
  }
  refuseCompressed(c.req.header('content-encoding'))
  // Hono's validator takes the text from here; it would decode wrong UTF-8 without complaint.
  const text = decodeJson(bytes)
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text) })
  return next()
}

async function readBody(request: Request): Promise<Uint8Array> {
  try {
    return await readBytes(request, MAX_BODY)
  } catch (error) {
    throw error instanceof SandboxError ? error : wrongBody('broke off')
  }
}

/** Decodes JSON. Errors: 400 for what is not UTF-8, or nested so deep that parsing it would exhaust the stack. */
export function decodeJson(bytes: Uint8Array): string {
  const text = decode(bytes)
  if (isNestedTooDeep(text)) throw wrongBody(nestedTooDeep)
  return text
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrongBody('must be UTF-8')
  }
}

/** An error about the body as a whole. */
export const wrongBody = (message: string): SandboxError =>
  invalidRequest([{ in: 'body', name: '', message }])
