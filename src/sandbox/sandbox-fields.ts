// Generated from the schemas by `npm run tables`.

import type { PartialSettings } from '../contract/settings.ts'
import type { Present } from '../service/present.ts'
import type { DatasetFields } from '../store/dataset-fields.ts'

/** The options of `createSandbox`. */
export interface SandboxFields extends DatasetFields {
  /** Overrides of assumptions: facts that you know about the real service, by name. Default: none. @example { errorFormat: 'message' } */
  readonly assumptions?: PartialSettings | undefined
  /** Functions that show records in another form than the one that the sandbox assumes, by record. Default: none. @example { product: ({ name, ...rest }) => ({ ...rest, title: name }) } */
  readonly present?: Present | undefined
}
