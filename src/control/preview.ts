import type * as z from 'zod'

import { headersOf } from '../http/respond.ts'
import { answering } from '../http/service.ts'
import { Reading } from '../store/reading.ts'
import { AskedInput, exchangeOf, parsedAsked, requestText, warningTexts } from './explain-request.ts'
import type { Session } from './sessions/session.ts'

/** A GET whose answer is shown, not sent. */
export type PreviewInput = z.input<typeof AskedInput>

/** What the service would answer. */
export interface Preview {
  /** The request's method and path, from `/v1` on. */
  readonly request: string
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body's JSON; a refusal's problem too. */
  readonly body: unknown
  /** What the answer's `Sandbox-Warning` says of the request itself. */
  readonly warnings: readonly string[]
}

/**
 * Shows the answer to a GET by sending it through the service's own steps: no journal knows of it, no fault acts or is
 * used up. A refusal is an answer as well. Errors: invalid_request that names each field.
 */
export async function previewed(session: Session, input: unknown): Promise<Preview> {
  const asked = { ...parsedAsked(AskedInput, input), method: 'GET' }
  const exchange = exchangeOf(session, asked, new Reading(session.data))
  const answer = await answering()(exchange)
  const { status, body } = answer
  return {
    request: requestText(exchange),
    status,
    headers: headersOf(answer),
    body: JSON.parse(new TextDecoder().decode(body.bytes)),
    warnings: warningTexts(exchange),
  }
}
