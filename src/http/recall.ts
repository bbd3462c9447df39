import type { Host } from '../control/host.ts'
import type { Session } from '../control/sessions/session.ts'
import type { KnownAnswers } from './answers.ts'
import type { Head } from './request.ts'
import { type Answer, withHeaders } from './respond.ts'

/**
 * Answers a plain GET as it was answered before, as long as nothing has changed on which the answer depends: neither
 * the session's data nor its clock. The request is entered into the journal like any other.
 * Shape: the answer, with the warnings that this request deserves; undefined for what has to be answered anew.
 */
export function recalled(
  { sessions }: Host,
  answers: KnownAnswers,
  session: Session,
  head: Head,
): Answer | undefined {
  if (head.method !== 'GET') return undefined
  const known = answers.find(session.data.dataset, head)
  if (!known || session.data.hasChanged(known.reads)) return undefined
  if (known.at !== undefined && known.at !== session.clock.now()) return undefined
  const release = sessions.hold(session)
  const { requests } = session
  const { answer, recorded, endpoint, caller, origin, target } = known
  const { base = '', credential, rawHeaders: headers } = head
  const entry = requests.open({ method: 'GET', url: origin + base + target, headers, credential }, endpoint)
  const given = entry.warnings.length === 0 ? answer : withHeaders(answer, entry.warningHeaders)
  const { headers: sent, page } = given
  requests.complete(entry, {
    caller,
    status: answer.status,
    answer: { headers: sent, page },
    requestBody: undefined,
    responseBody: recorded,
  })
  release()
  return given
}
