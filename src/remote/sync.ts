import { withCallerErrorsAsync } from '../core/caller-errors.ts'
import type { SyncControl } from '../sync/sync-control.ts'
import type { Call } from './call.ts'

export function createRemoteSync(call: Call): SyncControl {
  return {
    truth: (collection, { scenarios, ...options } = {}) =>
      withCallerErrorsAsync('query', () =>
        call('GET', 'sync/truth', {
          query: { collection, ...options, scenarios: scenarios === undefined ? undefined : `${scenarios}` },
        }),
      ),
    verdict: (copy, { row, ...options } = {}) =>
      withCallerErrorsAsync('verdict', async () => {
        if (row) {
          throw new TypeError(
            'row maps rows in process only. Give the copy with the names and values of the service instead.',
          )
        }
        return call('POST', 'sync/verdict', { body: { copy, ...options } })
      }),
  }
}
