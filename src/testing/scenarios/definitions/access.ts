import { SandboxError } from '../../../core/errors.ts'
import { findCustomersInScope } from '../../../service/scopes.ts'
import { createToken, withRenewals } from '../../../service/tokens.ts'
import { type Clauses, type Selection, selectList } from '../../../store/selection.ts'
import type { Data, DerivedCache } from '../../../store/session-data.ts'
import type { Row, TableName } from '../../../store/tables.ts'
import type { Texts } from '../../../store/texts.ts'
import { TrackingData } from '../../tracking-data.ts'
import { defineScenario } from '../definition.ts'

/** Creates the error for a token that is no longer valid. Source: RFC 6750, The WWW-Authenticate Response Header Field. */
function invalidToken(detail: string): SandboxError {
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
  return new SandboxError('unauthorized', detail, { headers })
}

export const tokenExpires = defineScenario({
  text: 'Each token expires after a number of requests or minutes; a renewed token works as long again.',
  options: { requests: 3, minutes: undefined, memberId: undefined },
  refuse: ({ caller, renewals = 0 }, state, now) => {
    const { requests, minutes, memberId } = state.options
    if (memberId !== undefined && memberId !== caller.id) return
    const lastUse = state.memory.tokens?.[caller.id]
    const nowMs = Date.parse(now)
    const isNew = !lastUse || renewals > lastUse.renewals
    const use = isNew ? { renewals, used: 0, sinceMs: nowMs } : lastUse
    const isOld = minutes !== undefined && nowMs - use.sinceMs >= minutes * 60_000
    const isUsedUp = minutes === undefined && use.used >= requests
    if (renewals < use.renewals || isOld || isUsedUp) {
      const next = withRenewals(createToken(caller), use.renewals + 1)
      throw invalidToken(`The token has expired. ${next} is a renewed one.`)
    }
    const tokens = { ...state.memory.tokens, [caller.id]: { ...use, used: use.used + 1 } }
    state.memory = { ...state.memory, tokens }
  },
})

export const tokenRevoked = defineScenario({
  text: 'After some requests, access is revoked: neither the token of the member nor a renewed one works any more.',
  options: { after: 1, memberId: undefined },
  isForOneCaller: true,
  refuse: () => {
    throw invalidToken('Access has been revoked. Renewing the token does not help.')
  },
})

export const scopeNarrowed = defineScenario({
  text: 'After some requests, a member sees fewer customers: those of its team, or its own, whatever scope it requests.',
  options: { after: 1, memberId: undefined, scope: 'team' },
  isForOneCaller: true,
  view: ({ caller, settings }, { options }, _, data) => {
    const visible = findCustomersInScope(options.scope, caller, data, settings.team)
    if (!visible) return undefined
    return { data: new NarrowedData(data, visible), did: `answered with ${visible.length} visible customers` }
  },
})

class NarrowedData extends TrackingData {
  readonly #customerIds: ReadonlySet<number>

  constructor(data: Data, customerIds: readonly number[]) {
    super(data)
    this.#customerIds = new Set(customerIds)
  }

  /** A text goes on naming what the member does not see any more. */
  override get texts(): Texts {
    const { data } = this
    return {
      transcript: (meeting) => data.texts.transcript(meeting, data),
      briefContent: (content) => data.texts.briefContent(content, data),
      logMessage: (log) => data.texts.logMessage(log, data),
    }
  }

  #isVisible(table: TableName, row: Row<TableName>): boolean {
    const id = table === 'customers' ? row.id : 'customerId' in row ? row.customerId : undefined
    return typeof id !== 'number' || this.#customerIds.has(id)
  }

  override get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const row = this.data.get(table, id)
    return row && this.#isVisible(table, row) ? row : undefined
  }

  override select<T extends TableName>(table: T, clauses: Clauses<T>): Selection<Row<T>> {
    const rows = this.data.select(table, clauses).page()
    return selectList(rows.filter((row) => this.#isVisible(table, row)))
  }

  // Computes the value each time, because the cached one is of all rows.
  override derive<V>(_cache: DerivedCache<V>, _key: string, _names: readonly TableName[], make: () => V): V {
    return make()
  }
}

export const dailyQuota = defineScenario({
  text: 'Once a day has had its number of requests, every further one is answered with 429 until the day is over.',
  options: { requests: 10 },
  fault: ({ requests }) => ({ rateLimit: { requests, windowSeconds: 86_400 } }),
})
