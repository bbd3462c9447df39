import * as z from 'zod'

import { lazyObject, lazyStrictObject } from '../core/lazy-schema.ts'
import type { PreviewFields } from './dry-run-fields.ts'

/** The length of the longest path, which is what a server of Node accepts. Units: characters. */
const MAX_PATH = 16_384

const MAX_TOKEN = 1_000

export const PreviewInput = lazyStrictObject(() => ({
  path: z
    .string()
    .max(MAX_PATH)
    .regex(/^\/[^#]*$/, 'must start with / and have no #')
    .refine((path) => path.length > MAX_PATH || IN_SERVICE.test(toTarget(path)), 'must stay below /v1'),
  token: z
    .string()
    .max(MAX_TOKEN)
    .regex(/^[\x20-\x7e]*$/, 'must have printable ASCII characters only'),
}))
export type PreviewInput = PreviewFields

export const Preview = lazyObject(() => ({
  /** The request's method and path, from `/v1` on. */
  request: z.string(),
  status: z.int(),
  /** Names in lower case. */
  headers: z.record(z.string(), z.string()),
  /** The JSON of the body, or of the problem. */
  body: z.unknown(),
  /** The warnings in the response's `Sandbox-Warning` header. */
  warnings: z.array(z.string()),
}))
export type Preview = z.infer<typeof Preview>

const IN_SERVICE = /^\/v1(?:[/?]|$)/

export function toTarget(path: string): string {
  const { pathname, search } = new URL(`http://sandbox${IN_SERVICE.test(path) ? '' : '/v1'}${path}`)
  return pathname + search
}
