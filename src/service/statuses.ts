import type { Settings } from '../contract/choices.ts'
import { type ProblemCode, problems } from '../core/errors.ts'
import type { Operation } from './contract.ts'

/** Source: assumption A-36. */
export const TOO_MANY_REQUESTS = 429

/** Lists the errors of an operation. Source: assumptions. */
export function listErrorCodes({ path, body }: Operation, settings: Settings): readonly ProblemCode[] {
  const inOrganization = path.includes('{organizationId}')
  const namesRecord = /\{(?!organizationId)/.test(path)
  const { otherOrganization, foreignRecord } = settings
  const isForbidden = otherOrganization === 403 || (namesRecord && foreignRecord === 403)
  const isNotFound = otherOrganization === 404 || namesRecord
  return [
    ...(inOrganization ? (['invalid_request'] as const) : []),
    'unauthorized' as const,
    ...(inOrganization && isForbidden ? (['forbidden'] as const) : []),
    ...(inOrganization && isNotFound ? (['not_found'] as const) : []),
    ...(body
      ? (['payload_too_large', 'unsupported_media_type', 'storage_unavailable', 'storage_full'] as const)
      : []),
  ]
}

export const toStatus = (code: ProblemCode, { violationStatus }: Settings): number =>
  code === 'invalid_request' ? violationStatus : problems[code].status

/** Lists the documented and assumed statuses of an operation. Order: ascending. */
export const listStatuses = (operation: Operation, settings: Settings): readonly number[] =>
  [
    operation.status,
    ...listErrorCodes(operation, settings).map((code) => toStatus(code, settings)),
    TOO_MANY_REQUESTS,
  ].toSorted((a, b) => a - b)
