import { importInTurn, loadOnce } from '../contract/import-in-turn.ts'
import type { Sync } from '../sync/create-sync.ts'
import type { SyncHost } from '../sync/truth.ts'

/** Creates the function that loads what judges the syncs of clients, on first use. */
export function createSyncLoader(copySession: SyncHost['copySession']): () => Promise<Sync> {
  return loadOnce(async () => {
    const { createSync } = await importInTurn(() => import('../sync/create-sync.ts'))
    return createSync({ copySession })
  })
}
