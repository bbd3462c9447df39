import type { Preview } from '../../../control/preview.ts'
import { curlText } from '../../curl.ts'
import { baseUrl } from '../../parts/base-url.ts'
import type { CastMember } from '../../parts/cast.ts'
import { type Answer, useAnswer } from '../../parts/use-answer.ts'
import { type AnyRecord, isRecord } from './words.ts'

/** A request to the service that is looked at, not sent. */
export interface Asked {
  /** With its query, relative to the base address. */
  readonly path: string
  readonly token: string
}

/** What the service would answer, read anew when the data changes. Undefined asks nothing. */
export function useService(path: string | undefined, member: CastMember | undefined): Answer<Preview> {
  const body = path !== undefined && member && { path, token: member.token }
  return useAnswer<Preview>(body ? { path: '/_sandbox/preview', body } : undefined)
}

/** The request as a shell sends it to the service itself. */
export function serviceCurl({ path, token }: Asked): string {
  return curlText({
    method: 'GET',
    url: `${baseUrl()}${path}`,
    headers: { Authorization: `Bearer ${token}` },
  })
}

/** The records of a list's answer, and how many match; undefined where it is none. */
export function listOf(
  body: unknown,
): { readonly items: readonly AnyRecord[]; readonly total: number } | undefined {
  const items: unknown = isRecord(body) ? body['items'] : body
  if (!Array.isArray(items)) return undefined
  const total = isRecord(body) ? Number(body['totalCount']) : items.length
  return { items: items.filter(isRecord), total }
}
