import * as z from 'zod'

import type { Settings } from './choices.ts'
import { assumed } from './provenance.ts'

const text = assumed(z.string(), 'A-05')
const code = text.describe('The code of the error; clients may branch on it')

const Problem = assumed(
  z.object({
    type: text,
    title: text,
    status: assumed(z.int(), 'A-05'),
    detail: text,
    code,
    errors: assumed(
      z
        .array(
          z.object({
            in: assumed(z.enum(['query', 'path', 'header', 'body']), 'A-05'),
            name: text,
            message: text,
          }),
        )
        .optional(),
      'A-05',
    ).describe('The invalid fields, for a 400'),
  }),
  'A-05',
).meta({ id: 'Problem' })

const ErrorObject = assumed(
  z.object({ error: assumed(z.object({ code, message: text }), 'A-05') }),
  'A-05',
).meta({ id: 'Problem' })

const ErrorMessage = assumed(z.object({ message: text, statusCode: assumed(z.int(), 'A-05') }), 'A-05').meta({
  id: 'Problem',
})

/** The schema and media type of errors in each format. Source: assumption A-05. */
export const problemSchemas = {
  problem: { schema: Problem, mediaType: 'application/problem+json' },
  error: { schema: ErrorObject, mediaType: 'application/json' },
  message: { schema: ErrorMessage, mediaType: 'application/json' },
} as const satisfies Record<
  Settings['errorFormat'],
  { readonly schema: z.ZodType; readonly mediaType: string }
>
