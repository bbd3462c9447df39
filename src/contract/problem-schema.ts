import * as z from 'zod'

import type { Settings } from './choices.ts'
import { assumed } from './provenance.ts'

const mark = <T extends z.ZodType>(schema: T): T => assumed(schema, 'A-05')

const text = mark(z.string())
const status = mark(z.int())
const code = text.describe('The code of the error; clients may branch on it')

const fieldError = z.object({
  in: mark(z.enum(['query', 'path', 'header', 'body'])),
  name: text,
  message: text,
})
const errors = mark(z.array(fieldError).optional()).describe('The invalid fields, for a 400')

const declare = (fields: z.core.$ZodLooseShape) => mark(z.object(fields)).meta({ id: 'Problem' })

/** The schema and media type of errors in each format. Source: assumption A-05. */
export const problemSchemas = {
  problem: {
    schema: declare({ type: text, title: text, status, detail: text, code, errors }),
    mediaType: 'application/problem+json',
  },
  error: {
    schema: declare({ error: mark(z.object({ code, message: text })) }),
    mediaType: 'application/json',
  },
  message: { schema: declare({ message: text, statusCode: status }), mediaType: 'application/json' },
} as const satisfies Record<
  Settings['errorFormat'],
  { readonly schema: z.ZodType; readonly mediaType: string }
>
