// Generated from the schemas by `npm run tables`.

import type { PartialSettings } from '../contract/settings.ts'
import type { ShapesInput } from '../contract/shapes.ts'
import type { DatasetFields } from '../store/dataset-fields.ts'

/** The options of `createSandbox`. */
export interface SandboxFields extends DatasetFields {
  /** Overrides of assumptions: facts that you know about the real service, by name. Default: none. @example { errorFormat: 'message' } */
  readonly assumptions?: PartialSettings | undefined
  /**
   * JSON Schemas of records whose fields the document does not show, by name. Default: the fields that the sandbox assumes.
   * @example { product: { properties: { id: { type: 'integer' }, title: { type: 'string', 'x-from': 'name' } } } }
   */
  readonly shapes?: ShapesInput | undefined
}
