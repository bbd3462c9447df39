import type { Calibration } from '../contract/calibration.ts'
import type { Settings } from '../contract/choices.ts'
import { defaultSettings, type PartialSettings, withSettings } from '../contract/settings.ts'
import type { ShapesInput } from '../contract/shapes.ts'
import { importSequentially } from '../core/import-sequentially.ts'

export interface Overrides {
  readonly calibration?: Calibration | undefined
  readonly assumptions?: PartialSettings | undefined
  readonly shapes?: ShapesInput | undefined
}

/** Resolves the settings of a sandbox; loads the code of learned shapes only if there are any. Errors: invalid_request. */
export async function resolveSettings({
  calibration,
  assumptions,
  shapes: given,
}: Overrides): Promise<Settings> {
  const observed = withSettings(defaultSettings, calibration?.assumptions)
  const settings = withSettings(observed, assumptions)
  const shapes = { ...calibration?.shapes, ...given }
  if (Object.values(shapes).every((shape) => shape === undefined)) return settings
  const { Shapes } = await importSequentially(() => import('../contract/learned-shapes.ts'))
  const { generateValue } = await importSequentially(() => import('../../seed/definitions/learned-values.ts'))
  return { ...settings, shapes: new Shapes(shapes, generateValue) }
}
