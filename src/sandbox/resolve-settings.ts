import type { Settings } from '../contract/choices.ts'
import { importInTurn } from '../contract/import-in-turn.ts'
import { defaultSettings, type PartialSettings, withSettings } from '../contract/settings.ts'
import { Shapes, type ShapesInput } from '../contract/shapes.ts'

/** Everything that differs from the sandbox's own assumptions. */
export interface Overrides {
  /** Overrides of assumptions for every session. */
  readonly assumptions?: PartialSettings | undefined
  /** JSON Schemas of records whose fields the document does not show. */
  readonly shapes?: ShapesInput | undefined
}

/** Resolves the settings of a sandbox; loads the code that generates values only for shapes. Errors: invalid_request. */
export async function resolveSettings({ assumptions, shapes = {} }: Overrides): Promise<Settings> {
  const settings = withSettings(defaultSettings, assumptions)
  if (Object.values(shapes).every((shape) => shape === undefined)) return settings
  const { generateValue } = await importInTurn(() => import('../../seed/learned-values.ts'))
  return { ...settings, shapes: new Shapes(shapes, generateValue) }
}
