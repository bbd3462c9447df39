import type { Calibration } from '../contract/calibration.ts'
import type { Settings } from '../contract/choices.ts'
import { importInTurn } from '../contract/import-in-turn.ts'
import { defaultSettings, type PartialSettings, withSettings } from '../contract/settings.ts'
import { Shapes, type ShapesInput } from '../contract/shapes.ts'
import type { Access } from '../control/access.ts'
import type { BuiltFile } from '../control/host.ts'
import type { SessionLimits } from '../sessions/sessions.ts'
import type { Storage } from '../store/storage.ts'
import type { StateParts } from './state.ts'

/** The dependencies of a sandbox. */
export interface Wiring {
  /** The storage of the dataset and the default session's changes; in memory by default. */
  readonly storage?: Storage
  /** The clients that may use the control plane; all by default. */
  readonly access?: Access
  /** Reads the built pages; without it, there are none. */
  readonly builtFile?: BuiltFile
  readonly sessions?: Partial<SessionLimits>
  /** The observations of a real tenant, which `assumptions` override. */
  readonly calibration?: Calibration | undefined
  /** Overrides of assumptions for every session. */
  readonly assumptions?: PartialSettings | undefined
  /** JSON Schemas of records whose fields the document does not show. */
  readonly shapes?: ShapesInput | undefined
  /** Rejects requests that name no session. */
  readonly requireSession?: boolean | undefined
  /** The advice in the error for a storage with another dataset. */
  readonly otherDataset?: string | undefined
  /** How much faster than the machine's time a running clock runs. */
  readonly clockRate?: number | undefined
  /** A saved state to start from, which also gives the options that are left out. */
  readonly state?: unknown
  /** The time at which a new dataset with a running clock starts; the machine's by default. */
  readonly startTime?: string | undefined
  readonly completesLater?: StateParts['completesLater']
}

/** Creates the settings of a sandbox: overrides win over observations, and these over the defaults. Errors: invalid_request. */
export async function createSettings({ calibration, assumptions, shapes }: Wiring): Promise<Settings> {
  const observed = withSettings(defaultSettings, calibration?.assumptions)
  return {
    ...withSettings(observed, assumptions),
    ...(await loadShapes({ ...calibration?.shapes, ...shapes })),
  }
}

/** Loads learned shapes, with the code that generates their values. Errors: invalid_request. */
async function loadShapes(input: ShapesInput): Promise<{ readonly shapes?: Shapes }> {
  if (Object.values(input).every((shape) => shape === undefined)) return {}
  const { generateValue } = await importInTurn(() => import('../../seed/learned-values.ts'))
  return { shapes: new Shapes(input, generateValue) }
}
