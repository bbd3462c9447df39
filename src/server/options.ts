import * as z from 'zod'

import { asSentence, bodyErrors } from '../contract/issues.ts'
import { optionKeys, PartialSettings } from '../contract/settings.ts'
import { datasetOptions } from '../options.ts'
import { StartError } from './start-error.ts'

/** Where a server listens that is told nothing; where that port is busy, it takes the next. */
export const DEFAULT_PORT = 4500

const name = z.string('must be a string').min(1, 'must not be empty')
const hostName = name.regex(
  /^(?:[^:@/\s[\]]+|\[?[0-9a-f]*:[0-9a-f:.]*\]?)$/i,
  'must be a host name like sandbox.test, without scheme, port or path',
)
const origin = name.regex(
  /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+\/?|null)$/i,
  'must be an origin like http://localhost:5173',
)
const port = 'must be a whole number from 0 to 65535'

const minutes = 'must be a number of minutes above 0, at most 525600'

const flag = z.boolean('must be true or false')

/** The options of a server, each by itself. */
const startOptions = {
  ...datasetOptions,
  /** The port to listen on; 0 takes any free one. A busy one is an error, but for the default, which moves on. */
  port: z.int(port).min(0, port).max(65_535, port).optional(),
  /** The name or address to listen on; every loopback address by default, which is all that needs no admin token. */
  host: name.optional(),
  /** What every call of the control plane must then carry as bearer token. */
  adminToken: name.optional(),
  /** Further names under which the control plane may be addressed. */
  allowHost: z.array(hostName, 'must be a list of host names').optional(),
  /** Further origins whose pages may use the control plane. */
  allowOrigin: z.array(origin, 'must be a list of origins').optional(),
  /** The folder that dataset and changes are kept in. */
  data: name.optional(),
  /** Whether nothing is kept; so it is where there is no folder. */
  memory: flag.optional(),
  /** How long an idle session lives. Units: minutes. */
  sessionTtl: z.number(minutes).positive(minutes).max(525_600, minutes).optional(),
  /** Whether a request to the service that names no session is refused. */
  requireSession: flag.optional(),
  /** How what the document leaves open is decided, where it is decided otherwise than by default. */
  assumptions: PartialSettings.optional(),
}

/** The options of a config file: those of a server, and what the command prints. */
export const configOptions = { ...startOptions, json: flag.optional(), quiet: flag.optional() }

/** What a server is started with: a dataset, where it listens, who may steer it, where its data lies. */
export const StartOptions = z.strictObject(startOptions)
export type StartOptions = z.infer<typeof StartOptions>

/** The options of a sandbox behind a server that somebody else runs. */
export const SandboxOptions = StartOptions.omit({ port: true, host: true })
export type SandboxOptions = z.infer<typeof SandboxOptions>

/** What a `workspace-sandbox.config.ts` exports. */
export const Config = z.strictObject(configOptions)
export type Config = z.infer<typeof Config>

/** Options as they may be used. Errors: StartError that names the first wrong one, with the nearest known one. */
export function parsedStartOptions<T extends SandboxOptions>(
  schema: z.ZodType<T> & { readonly shape: object },
  options: T,
): T {
  const parsed = schema.safeParse(options)
  if (!parsed.success) {
    const [first] = bodyErrors(parsed.error.issues, optionKeys(Object.keys(schema.shape)))
    const what = first?.name ? `with option ${first.name}: it` : 'with these options: they'
    throw new StartError('invalid_option', asSentence(`Cannot start ${what} ${first?.message}`))
  }
  const { memory, data } = parsed.data
  if (memory && data !== undefined) {
    const fact = 'one keeps nothing, the other keeps it in a folder'
    throw new StartError(
      'invalid_option',
      `Cannot start with both memory and data: ${fact}. Give one of them.`,
    )
  }
  return parsed.data
}
