import { createControlApp } from '../control/app.ts'
import type { ControlParts } from '../control/route.ts'
import type { Explainer } from './explain/create-explainer.ts'
import { explainRoutes } from './explain/routes.ts'
import { livingRoutes } from './living/routes.ts'
import { syncRoutes } from './sync/routes.ts'
import type { Sync } from './sync/sync.ts'

export interface LabParts extends ControlParts {
  readonly explainer: () => Promise<Explainer>
  readonly sync: () => Promise<Sync>
}

/** Creates the control plane with the laboratory: each part adds its routes in one line. */
export const createLabControl = (parts: LabParts) =>
  createControlApp(parts)
    .route('/_sandbox', explainRoutes(parts.explainer))
    .route('/_sandbox', livingRoutes)
    .route('/_sandbox/sync', syncRoutes(parts.sync))

export type ControlApp = ReturnType<typeof createLabControl>
