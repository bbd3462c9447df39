import { zValidator } from '@hono/zod-validator'
import type * as z from 'zod'

import { type FieldError, invalidRequest } from '../contract/errors.ts'
import { bodyErrors } from '../contract/issues.ts'

const places = { query: 'query', param: 'path' } as const satisfies Record<string, FieldError['in']>

/**
 * Holds the query or the path of a control call against a schema; `context.req.valid` gives it.
 * Errors: 400 that names each field, an unknown one with the nearest known one.
 */
export function validator<P extends keyof typeof places, S extends z.ZodObject>(part: P, schema: S) {
  return zValidator(part, schema, (result) => {
    if (result.success) return
    const errors = bodyErrors(result.error.issues, Object.keys(schema.shape))
    throw invalidRequest(errors.map((error) => ({ ...error, in: places[part] })))
  })
}
