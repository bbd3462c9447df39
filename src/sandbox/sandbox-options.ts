import * as z from 'zod'

import { PartialSettings } from '../contract/settings.ts'
import type { Input } from '../core/input.ts'
import { Present } from '../service/present.ts'
import type { StateDocument } from '../sessions/summary.ts'
import { datasetOptions } from '../store/dataset-options.ts'

export const sandboxOptions = {
  ...datasetOptions,
  assumptions: PartialSettings.optional().describe(
    'Overrides of assumptions: facts that you know about the real service, by name. Default: none. Example: `{ "errorFormat": "message" }`.',
  ),
  present: Present.optional().describe(
    'Functions that show records in another form than the one that the sandbox assumes, by record. Default: none. Example: `{ product: ({ name, ...rest }) => ({ ...rest, title: name }) }`.',
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
