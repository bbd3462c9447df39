import * as z from 'zod'

import { anyNames } from '../../contract/fields.ts'
import { PartialSettings } from '../../contract/settings.ts'
import { validationErrors } from '../../core/issues.ts'
import { asSentence } from '../../core/words.ts'
import { Present } from '../../service/present.ts'
import { datasetOptions } from '../../store/dataset-options.ts'
import type { ConfigFields, EmbeddedFields, StartFields } from './start-fields.ts'

export const DEFAULT_PORT = 4500

export type StartErrorCode =
  | 'port_in_use'
  | 'address_unavailable'
  | 'unguarded_host'
  | 'invalid_option'
  | 'unusable_fixture'
  | 'unusable_state'

/** An error at the start of a server, with a stable code; errors of the data are SandboxErrors. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code: StartErrorCode

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const text = z.string('must be a string').min(1, 'must not be empty')
const hostName = text.regex(
  /^(?:[^:@/\s[\]]+|\[?[0-9a-f]*:[0-9a-f:.]*\]?)$/i,
  'must be a host name like sandbox.test, without scheme, port or path',
)
const origin = text.regex(
  /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+\/?|null)$/i,
  'must be an origin like http://localhost:5173',
)
const publicUrl = 'must be the URL of a server like https://sandbox.example, without a path'
const port = 'must be a whole number from 0 to 65535'
const minutes = 'must be a number of minutes above 0, at most 525600'
const rate = 'must be a number above 0, at most 1000000'
const flag = z.boolean('must be true or false')

const startOptions = {
  ...datasetOptions,
  port: z.int(port).min(0, port).max(65_535, port).optional(),
  host: text.optional(),
  publicUrl: z
    .string(publicUrl)
    .regex(/^https?:\/\/[^/?#@\s]+\/?$/i, publicUrl)
    .refine((url) => URL.canParse(url), publicUrl)
    .optional(),
  adminToken: text.optional(),
  allowHost: z.array(hostName, 'must be a list of host names').optional(),
  allowOrigin: z.array(origin, 'must be a list of origins').optional(),
  data: text.optional(),
  memory: flag.optional(),
  sessionTtl: z.number(minutes).positive(minutes).max(525_600, minutes).optional(),
  requireSession: flag.optional(),
  clockRate: z.number(rate).positive(rate).max(1_000_000, rate).optional(),
  assumptions: PartialSettings.optional(),
  present: Present.optional(),
  state: anyNames(
    z.union([text, z.record(z.string(), z.unknown())], 'must be the path or content of a state'),
  ).optional(),
}

export const StartOptions = z.strictObject(startOptions)
export type StartOptions = StartFields

export const SandboxOptions = StartOptions.omit({ port: true, host: true })
export type SandboxOptions = EmbeddedFields

/** The default export of a `workspace-sandbox.config.ts`. */
export const Config = StartOptions.extend({
  log: flag.optional(),
  json: flag.optional(),
  quiet: flag.optional(),
})
export type Config = ConfigFields

/** Validates options. @throws StartError that names the first invalid option and suggests the nearest known one */
export function parseStartOptions<T extends SandboxOptions>(schema: z.ZodType<T>, options: T): T {
  const parsed = schema.safeParse(options)
  if (!parsed.success) {
    const [first] = validationErrors('body', schema, parsed.error.issues)
    const what = first?.name ? `with option ${first.name}: it` : 'with these options: they'
    throw new StartError('invalid_option', asSentence(`Cannot start ${what} ${first?.message}`))
  }
  const { memory, data } = parsed.data
  if (memory && data !== undefined) {
    const fact = 'memory stores nothing, but data names a folder'
    throw new StartError('invalid_option', `Cannot use both memory and data: ${fact}. Remove one of them.`)
  }
  return parsed.data
}
