import * as z from 'zod'

import { PartialSettings } from '../contract/settings.ts'
import type { Input } from '../core/input.ts'
import { Present } from '../service/present.ts'
import { datasetOptions } from '../sessions/dataset-options.ts'
import type { StateDocument } from '../sessions/summary.ts'

export const sandboxOptions = {
  ...datasetOptions,
  assumptions: PartialSettings.optional().describe(
    'Overrides of assumptions: facts that you know about the real service, by name. Default: none. Example: `{ "errorFormat": "message" }`.',
  ),
  present: Present.optional().describe(
    'Functions that show records in another form than the one that the sandbox assumes, by record. Default: none. Example: `{ product: ({ name, ...rest }) => ({ ...rest, title: name }) }`.',
  ),
}

export const text = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .regex(/^[^\0]*$/, 'must not contain a NUL character')
const origin = text.regex(
  /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+\/?|null)$/i,
  'must be an origin like http://localhost:5173',
)
const token = 'must be ASCII characters that a header can hold, without a space or line break at an end'
export const flag = z.boolean('must be true or false')

/** The options of a sandbox that is served, by a process or a worker. */
export const servedOptions = {
  ...sandboxOptions,
  adminToken: text
    .regex(/^[!-~](?:[ -~]*[!-~])?$/, token)
    .optional()
    .describe('The bearer token that the control plane requires. Default: none. Example: `secret`.'),
  allowOrigin: z
    .array(origin, 'must be a list of origins')
    .optional()
    .describe(
      'More origins whose pages may call the control plane. Default: none. Example: `["http://localhost:5173"]`.',
    ),
  sessionTtl: z
    .number('must be a number of minutes above 0, at most 525600')
    .positive()
    .max(525_600)
    .optional()
    .describe(
      'The time without requests after which a session expires, in minutes. Default: 30. Example: `5`.',
    ),
  requireSession: flag
    .optional()
    .describe('Rejects requests to the service that name no session. Default: false. Example: `true`.'),
  clockRate: z
    .number('must be a number above 0, at most 1000000')
    .positive()
    .max(1_000_000)
    .optional()
    .describe(
      'How many times as fast as the real time the clock runs; requires `now` to be `system`. Default: 1. Example: `60`.',
    ),
}

export const SandboxOptions = z.strictObject(sandboxOptions)

/** The options of `createSandbox`. */
export interface SandboxOptions extends Input<typeof SandboxOptions> {
  /**
   * A saved state to start from, which also gives the options of the dataset that are left out. Default: none.
   * @example JSON.parse(await readFile('state.json', 'utf8'))
   */
  readonly state?: StateDocument | undefined
}
