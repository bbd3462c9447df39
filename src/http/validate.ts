import { zValidator } from '@hono/zod-validator'
import type * as z from 'zod'

import { type FieldError, invalidRequest } from '../core/errors.ts'
import { validationErrors } from '../core/issues.ts'
import { hasMoreValues } from '../core/json.ts'
import { runInSlices } from '../core/slices.ts'
import { parseInSteps, VALUES_PER_STEP } from '../core/validate-in-steps.ts'
import { type BodyRules, controlBody, readJson } from './read-body.ts'

export type ValidatedPart = 'param' | 'query' | 'header' | 'json'

export const places = {
  param: 'path',
  query: 'query',
  header: 'header',
  json: 'body',
} as const satisfies Record<ValidatedPart, FieldError['in']>

export interface Validation {
  readonly part: ValidatedPart
  readonly schema: z.ZodType
}

const validations = new WeakMap<object, Validation>()

export const findValidation = (middleware: object): Validation | undefined => validations.get(middleware)

/**
 * Validates a part of a request, which handlers read with `c.req.valid`.
 * Errors: 400 that names each invalid field, an unknown one with the nearest known one; 413, 415 for a body.
 * @example
 * app.put('/', validate('json', z.strictObject({ now: utcDateTime })), (c) => c.json(c.req.valid('json')))
 */
export function validate<P extends ValidatedPart, S extends z.ZodType>(
  part: P,
  schema: S,
  rules: BodyRules = controlBody,
) {
  const validator = zValidator(
    part,
    schema,
    (result) => {
      if (result.success) return
      throw invalidRequest(validationErrors(places[part], schema, result.error.issues))
    },
    {
      validationFunction: (parser: z.ZodType, value) => {
        const isLarge = part === 'json' && hasMoreValues(value, VALUES_PER_STEP)
        // Again with the option only if it fails: zod copies it to an object with a hidden class of its own, which takes 2 µs.
        const result = isLarge ? parseLarge(parser, value) : parser.safeParse(value)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zValidator states the type of a result as a condition on that of the schema
        return ('error' in result ? parser.safeParse(value, { reportInput: true }) : result) as never
      },
    },
  )
  const withBody: typeof validator = async (c, next) => {
    await readJson(c, rules)
    return validator(c, next)
  }
  const middleware = part === 'json' ? withBody : validator
  validations.set(middleware, { part, schema })
  return middleware
}

async function parseLarge(schema: z.ZodType, value: unknown) {
  return { success: true, data: await runInSlices(parseInSteps(schema, value)) }
}
