import { withCallerErrorsAsync } from '../core/caller-errors.ts'
import { findMapper } from '../sync/copies.ts'
import type { SyncControl } from '../sync/sync-control.ts'
import { Collection, type Verdict } from '../sync/verdict.ts'
import type { Call } from './call.ts'

/** How often a verdict may ask for the client's form of further rows. Two or three times are usual. */
const MAX_ROUNDS = 20

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
        const names = Collection.options.filter((name) => copy?.[name] && findMapper(row, name))
        const mapped = new Map(names.map((name): [Collection, unknown[]] => [name, []]))
        const body = { copy, ...options }
        for (let round = 0; round < MAX_ROUNDS; round += 1) {
          const forms = mapped.size > 0 ? { mapped: Object.fromEntries(mapped) } : {}
          // oxlint-disable-next-line no-await-in-loop -- each answer says which rows to map next
          const verdict = await call<Verdict>('POST', 'sync/verdict', { body: { ...body, ...forms } })
          if (!verdict.unmapped) return verdict
          for (const name of names) {
            const rows = verdict.unmapped[name] ?? []
            mapped.get(name)?.push(...rows.map((one) => ({ row: one, as: findMapper(row, name)?.(one) })))
          }
        }
        throw new Error(
          `The rows changed ${MAX_ROUNDS} times while the client mapped them. Judge while nothing writes to the session.`,
        )
      }),
  }
}
