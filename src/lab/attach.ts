import type { ControlParts } from '../control/route.ts'
import { importSequentially, loadOnce } from '../core/import-sequentially.ts'
import type { RequestHandler } from '../http/env.ts'
import type { SandboxState, StateOptions } from '../sessions/sandbox-state.ts'
import type { Session } from '../sessions/session.ts'
import type { TableName } from '../store/tables.ts'
import type { EventsOptions } from '../testing/records/types.ts'
import type { ExplainInput, PreviewInput } from './explain/schemas.ts'
import type { Collection, Copies, TruthOptions, VerdictOptions } from './sync/verdict.ts'
import { searchWarnings } from './sync/warnings.ts'

/** The parts that the laboratory adds to sessions. */
export const sessionParts: Pick<StateOptions, 'loadMoments' | 'searchWarnings'> = {
  loadMoments: async (dataset) => {
    const { loadMoments } = await importSequentially(() => import('./living/moments.ts'))
    return loadMoments(dataset)
  },
  searchWarnings,
}

/** One app serves the control planes of all sandboxes, as one serves their services. */
const loadControl = loadOnce(async () => {
  const { createLabControl } = await importSequentially(() => import('./control.ts'))
  return createLabControl()
})

export const loadExplain = () => importSequentially(() => import('./explain/explain.ts'))
const loadTimeline = () => importSequentially(() => import('./living/timeline.ts'))
export const loadTruth = () => importSequentially(() => import('./sync/truth.ts'))
export const loadSync = () => importSequentially(() => import('./sync/sync.ts'))

/** Attaches the laboratory to the control plane and the handles of a sandbox. The code of each part is loaded when it is first used. */
export function attachLab(sandbox: SandboxState, respond: RequestHandler) {
  const host = { sandbox, respond }
  return {
    createControl:
      (parts: Pick<ControlParts, 'access' | 'builtFile'>): RequestHandler =>
      async (request, bindings) =>
        (await loadControl()).fetch(request, Object.assign(bindings, { respond, ...parts })),
    /** Creates the methods of a session's handle. */
    createMethods: (session: Session) => ({
      explain: async (input: ExplainInput) => (await loadExplain()).explain(host, session, input),
      preview: async (input: PreviewInput) => (await loadExplain()).preview(host, session, input),
      events: async (query?: EventsOptions) => (await loadTimeline()).countEvents(session, query),
      history: async (table: TableName, id: number) => (await loadTimeline()).readHistory(session, table, id),
      truth: async (collection: Collection, options?: TruthOptions) =>
        (await loadTruth()).readTruth(sandbox, session, { collection, ...options }),
      verdict: async (copies?: Copies, options?: VerdictOptions) =>
        (await loadSync()).judgeCopy(sandbox, session, copies, options),
    }),
  }
}
