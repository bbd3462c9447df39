import type { AssumptionId } from '../../contract/assumptions.ts'
import { choices } from '../../contract/choices.ts'
import { type Checks, checksOf } from '../../http/checks.ts'
import { routeAt } from '../../http/match.ts'
import type { BoundOperation } from '../../resources/contract.ts'
import type { Data } from '../../store/session-data.ts'
import type { Entry } from './entry.ts'

/** Why a request may be refused before its body is read. Order: as they are looked for by default. */
type Reason = 'caller' | 'endpoint' | 'organization' | 'path' | 'query' | 'record'

/** What the answer to each of them rests on, beside the form of errors. */
const rests: Readonly<Record<Reason, readonly AssumptionId[]>> = {
  caller: [],
  endpoint: [],
  organization: [choices.otherOrganization.assumption],
  path: [choices.violationStatus.assumption],
  query: [choices.violationStatus.assumption],
  record: [choices.foreignRecord.assumption],
}

/** The assumptions on which a refusal rests. */
export function assumptionsInRefusal(entry: Entry, data: Data): AssumptionId[] {
  const { status, contract } = entry
  const { settings } = contract
  const reasons = reasonsOf(entry, data)
  const [first] =
    settings.refusals === 'record' && reasons.includes('record') && !reasons.includes('path')
      ? (['record'] as const)
      : reasons
  const isInvalid = status === settings.violationStatus
  return [
    choices.errorFormat.assumption,
    ...(first ? rests[first] : isInvalid ? [choices.violationStatus.assumption] : []),
    ...(reasons.length > 1 ? [choices.refusals.assumption] : []),
  ]
}

/** Everything for which a request would be refused. */
function reasonsOf(entry: Entry, data: Data): Reason[] {
  const { method, path, caller, endpoint, contract } = entry
  const reasons: Reason[] = caller ? [] : ['caller']
  const route = endpoint && routeAt(method, path)
  if (!route) return [...reasons, 'endpoint']
  const operation = contract.of(route.endpoint)
  const checks = checksFor(operation, contract)
  const { organizationId } = route.parameters
  const isOwn = organizationId === undefined || organizationId === caller?.organizationId
  if (caller && !isOwn) reasons.push('organization')
  const named = attempt(() => checks.path(route.parameters))
  if (!named) reasons.push('path')
  if (!attempt(() => checks.query(entry.url))) reasons.push('query')
  const { find } = route.endpoint
  if (!caller || !isOwn || !named || !find) return reasons
  const found = attempt(() => find({ path: named.value, caller, data, settings: contract.settings }))
  return found?.value === undefined ? [...reasons, 'record'] : reasons
}

const made = new WeakMap<BoundOperation, Checks>()

function checksFor(operation: BoundOperation, contract: Entry['contract']): Checks {
  const checks = made.get(operation) ?? checksOf(operation, contract)
  made.set(operation, checks)
  return checks
}

/** What some work gives; undefined where it refuses. */
function attempt<T>(work: () => T): { readonly value: T } | undefined {
  try {
    return { value: work() }
  } catch {
    return undefined
  }
}
