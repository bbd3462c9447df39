import { createControlApp } from '../control/app.ts'
import { explainRoutes } from './explain/routes.ts'
import { livingRoutes } from './living/routes.ts'
import { syncRoutes } from './sync/routes.ts'

/** Creates the control plane with the laboratory: each part adds its routes in one line. */
export const createLabControl = () =>
  createControlApp()
    .route('/_sandbox', explainRoutes)
    .route('/_sandbox', livingRoutes)
    .route('/_sandbox/sync', syncRoutes)

export type ControlApp = ReturnType<typeof createLabControl>
