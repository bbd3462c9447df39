import { inProcessLater } from '../contract/in-process.ts'
import type { SyncControl } from '../sync/sync-control.ts'
import type { Call } from './call.ts'

/** Creates what judges the sync of a session in another process. */
export function createRemoteSync(call: Call): SyncControl {
  return {
    truth: (collection, { scenarios, ...options } = {}) =>
      inProcessLater('query', () =>
        call('GET', 'sync/truth', {
          query: { collection, ...options, scenarios: scenarios === undefined ? undefined : `${scenarios}` },
        }),
      ),
    verdict: (copy, { row, ...options } = {}) =>
      inProcessLater('verdict', async () => {
        if (row) {
          throw new TypeError(
            'row maps rows in process only. Give the copy with the names and values of the service instead.',
          )
        }
        return call('POST', 'sync/verdict', { body: { copy, ...options } })
      }),
  }
}
