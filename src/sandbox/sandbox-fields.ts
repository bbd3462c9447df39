// Generated from the schemas by `npm run tables`.

import type { PartialSettings } from '../contract/settings.ts'
import type { DatasetFields } from '../store/dataset-fields.ts'

/** The options of `createSandbox`. */
export interface SandboxFields extends DatasetFields {
  /**
   * Overrides of assumptions: facts that you know about the real service, by name. Default: none.
   * @example { errorFormat: 'message' }
   */
  readonly assumptions?: PartialSettings | undefined
}
