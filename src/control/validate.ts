import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import * as z from 'zod'

import { invalidRequest } from '../core/errors.ts'
import { validationErrors } from '../core/issues.ts'
import { readBytes, refuseCompressed } from '../http/read-bytes.ts'
import { decodeJson } from '../http/read-json.ts'
import { attachDocumentation, type ValidatedPart } from './document-route.ts'

const places = { param: 'path', query: 'query', header: 'header', json: 'body' } as const satisfies Record<
  ValidatedPart,
  string
>

/**
 * Validates a part of a request, which handlers read with `c.req.valid`. An empty body is `{}`.
 * Errors: 400 that names each invalid field, an unknown one with the nearest known one; 413, 415 for a body.
 * @example
 * app.put('/', validate('json', z.strictObject({ now: utcDateTime })), (c) => c.json(c.req.valid('json')))
 */
export function validate<P extends ValidatedPart, S extends z.ZodType>(part: P, schema: S) {
  const validator = zValidator(part, schema, (result) => {
    if (result.success) return
    const { error = result.error } = z.safeParse(selectOption(schema, result.data), result.data, {
      reportInput: true,
    })
    throw invalidRequest(validationErrors(places[part], schema, error.issues))
  })
  const middleware: typeof validator = async (c, next) => {
    if (part === 'json') await readJson(c)
    return validator(c, next)
  }
  return attachDocumentation(middleware, { part, schema })
}

/** Selects between the options `one` and `list of them`, so that errors name the fields of the right one. */
function selectOption(schema: z.ZodType, value: unknown): z.core.$ZodType {
  if (!(schema instanceof z.ZodUnion)) return schema
  const isMany = Array.isArray(value)
  return schema.options.find((option) => option instanceof z.ZodArray === isMany) ?? schema
}

/** The largest body of a request, which may hold a fixture. Units: bytes. */
const MAX_BODY = 16 * 1_048_576

async function readJson(c: Context): Promise<void> {
  const { raw } = c.req
  const bytes = await readBytes(raw, MAX_BODY)
  if (bytes.length > 0) refuseCompressed(c.req.header('content-encoding'))
  const body = bytes.length > 0 ? decodeJson(bytes) : '{}'
  const headers = new Headers(raw.headers)
  // Hono's validator ignores a body of another type, and curl sends form data by default.
  headers.set('content-type', 'application/json')
  c.req.raw = new Request(raw.url, { method: raw.method, headers, body, signal: raw.signal })
}
