import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

import { invalidRequest, SandboxError } from '../contract/errors.ts'
import type { Environment } from './environment.ts'

/** Units: bytes. Source: assumption A-17. */
const MAX_BODY = 1_048_576

const MEDIA_TYPE = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i

/** Refuses a body that is too large. Errors: 413. */
export const limitedBody: MiddlewareHandler = bodyLimit({
  maxSize: MAX_BODY,
  onError: () => {
    throw new SandboxError('payload_too_large', `The body is larger than ${MAX_BODY} bytes.`)
  },
})

/** Refuses a body that is not JSON in UTF-8. Errors: 415, 400. Source: assumption A-17. */
export const jsonBody: MiddlewareHandler<Environment> = async function jsonBody(context, next) {
  const mediaType = context.req.header('content-type')
  if (mediaType === undefined || !MEDIA_TYPE.test(mediaType.trim())) {
    const fact = mediaType === undefined ? 'The request has no Content-Type.' : 'The Content-Type is another.'
    throw new SandboxError('unsupported_media_type', `${fact} Send application/json in UTF-8.`)
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(await context.req.arrayBuffer())
  } catch {
    throw invalidRequest([{ in: 'body', name: '', message: 'must be UTF-8' }])
  }
  await next()
}
