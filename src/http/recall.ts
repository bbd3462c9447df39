import type { Host } from '../control/host.ts'
import type { Session } from '../control/sessions/session.ts'
import type { KnownAnswer, KnownAnswers } from './answers.ts'
import { type Head, SESSIONS } from './head.ts'
import { type Answer, withHeaders } from './respond.ts'

/** How much of what was answered is kept. Units: bytes. */
export const KNOWN_ANSWERS = 24 * 1_048_576

/**
 * Answers what was answered before, as long as nothing has changed on which it depends: neither the session's data nor
 * its clock, and no fault is set. The request is entered into the journal like any other.
 * Shape: the answer, with the warnings that this request deserves; undefined for what has to be answered anew.
 */
export function createRecall(host: Host, answers: KnownAnswers): (head: Head) => Answer | undefined {
  return (head) => {
    const session = sessionOf(host, head)
    if (!session || session.knownFaults?.isEmpty === false) return undefined
    const known = answers.find(session.data.dataset, head)
    if (!known || session.data.hasChanged(known.reads)) return undefined
    if (known.at !== undefined && known.at !== session.clock.now()) return undefined
    const release = host.sessions.hold(session)
    const given = entered(session, head, known)
    release()
    return given
  }
}

function entered({ requests }: Session, head: Head, known: KnownAnswer): Answer {
  const { answer, endpoint, caller, origin, target } = known
  const { base = '', credential, rawHeaders } = head
  const arrival = { method: 'GET', url: origin + base + target, headers: rawHeaders, credential }
  const entry = requests.open(arrival, endpoint)
  const given = entry.warnings.length === 0 ? answer : withHeaders(answer, entry.warningHeaders)
  const { status, body } = answer
  requests.complete(entry, { caller, status, answer: given, requestBody: undefined, responseBody: body })
  return given
}

/** The session that a request belongs to; undefined where it has to be told why there is none. */
function sessionOf({ sessions, requiresSession, defaultSession }: Host, head: Head): Session | undefined {
  const { base, session } = head
  if (base !== undefined) {
    return session === undefined ? sessions.find(base.slice(SESSIONS.length)) : undefined
  }
  if (session !== undefined) return sessions.find(session)
  return requiresSession ? undefined : defaultSession
}
