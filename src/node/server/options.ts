import * as z from 'zod'

import { anyNames, between } from '../../contract/fields.ts'
import type { Input } from '../../core/input.ts'
import { parsedOnce, validationErrors } from '../../core/issues.ts'
import { asSentence } from '../../core/words.ts'
import { flag, sandboxOptions, servedOptions, text } from '../../sandbox/sandbox-options.ts'

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

const hostName = text.regex(
  /^(?:[^:@/\s[\]]+|\[?[0-9a-f]*:[0-9a-f:.]*(?:%\w+)?\]?)$/i,
  'must be a host name like sandbox.test, without scheme, port or path',
)

export const StartOptions = z.strictObject({
  ...sandboxOptions,
  port: between(0, 65_535)
    .optional()
    .describe(
      `The port to listen on; 0 picks a free one. Default: ${DEFAULT_PORT}, or the next free one. Example: \`0\`.`,
    ),
  host: hostName
    .optional()
    .describe(
      'The name or address to listen on; others than loopback require `adminToken`. Default: every loopback address. Example: `0.0.0.0`.',
    ),
  publicUrl: z
    .string('must be the URL of a server like https://sandbox.example, without a path')
    .regex(/^https?:\/\/[^/?#@\s]+\/?$/i)
    .refine((url) => URL.canParse(url))
    .optional()
    .describe(
      'The URL under which others reach the server, as behind a proxy. Default: the address that it listens on. Example: `https://sandbox.example`.',
    ),
  adminToken: servedOptions.adminToken,
  allowHost: z
    .array(hostName, 'must be a list of host names')
    .optional()
    .describe(
      'More host names that the control plane answers to. Default: none. Example: `["sandbox.test"]`.',
    ),
  allowOrigin: servedOptions.allowOrigin,
  data: text
    .optional()
    .describe(
      'The folder that stores the dataset and the changes of the default session. Default: nothing is stored; the command uses `.workspace-sandbox`. Example: `.workspace-sandbox`.',
    ),
  memory: flag.optional().describe('Keeps the data in memory only. Default: false. Example: `true`.'),
  sessionTtl: servedOptions.sessionTtl,
  requireSession: servedOptions.requireSession,
  clockRate: servedOptions.clockRate,
  state: anyNames(
    z.union([text, z.record(z.string(), z.unknown())], 'must be the path or content of a state'),
  )
    .optional()
    .describe(
      'A saved state to start from, or the path of its file; it also gives the options of the dataset that are left out. Default: none. Example: `state.json`.',
    ),
})

/** The options of `startSandbox`. */
export interface StartOptions extends Input<typeof StartOptions> {}

export const SandboxOptions = StartOptions.omit({ port: true, host: true })

/** The options of a sandbox in somebody else's server. */
export interface SandboxOptions extends Input<typeof SandboxOptions> {}

export const Config = StartOptions.extend({
  log: flag
    .optional()
    .describe('Prints a line for each request to standard error. Default: false. Example: `true`.'),
  json: flag
    .optional()
    .describe('Prints one line of JSON once the server listens. Default: false. Example: `true`.'),
  quiet: flag.optional().describe('Prints nothing to standard output. Default: false. Example: `true`.'),
})

/** The default export of a `workspace-sandbox.config.ts`. */
export interface Config extends Input<typeof Config> {}

/** Validates options. @throws StartError that names the first invalid option and suggests the nearest known one */
export function parseStartOptions<T extends SandboxOptions>(schema: z.ZodType<T>, options: T): T {
  const parsed = schema.safeParse(options, parsedOnce)
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
