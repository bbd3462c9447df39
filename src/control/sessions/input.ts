import * as z from 'zod'

import { invalidRequest, SandboxError } from '../../contract/errors.ts'
import { utcDateTime } from '../../contract/fields.ts'
import { bodyErrors } from '../../contract/issues.ts'
import { didYouMean } from '../../contract/nearest.ts'
import { type PartialSettings, parsedSettings } from '../../contract/settings.ts'
import { parsedFaults } from '../faults/input.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

/** What `from` calls the session that needs no name. */
const DEFAULT = 'default'

/** How much of an unknown id is told. */
const MAX_ID_LENGTH = 64

/** What opens a session. */
const SessionInput = z.strictObject({
  /** What the session is addressed by. */
  id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'must be 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first',
    )
    .refine((id) => id !== DEFAULT, `must not be ${DEFAULT}, which is the session of requests that name none`)
    .optional(),
  /** What people call it. */
  name: z
    .string()
    .regex(/^.{1,200}$/su, 'must have 1 to 200 characters')
    .optional(),
  /** Where its clock stands. */
  now: utcDateTime.optional(),
  /** The session that it starts as a copy of. */
  from: z.string().min(1, 'must not be empty').optional(),
  /** How it decides what the document leaves open, where otherwise than the sandbox. */
  assumptions: z.unknown().optional(),
  /** Its faults from the start: one, or a list. */
  faults: z.unknown().optional(),
})
export type SessionInput = Omit<z.infer<typeof SessionInput>, 'assumptions'> & {
  readonly assumptions?: PartialSettings | undefined
}

/** What opens a session, as it may be used. Errors: invalid_request that names each field. */
export function parsedSession(input: unknown): SessionInput {
  const parsed = SessionInput.safeParse(input)
  if (!parsed.success) {
    throw invalidRequest(bodyErrors(parsed.error.issues, Object.keys(SessionInput.shape)))
  }
  return { ...parsed.data, assumptions: parsedSettings(parsed.data.assumptions ?? {}, ['assumptions']) }
}

/** Opens a session as asked. Errors: 404 for an unknown `from`, 409 for an id that is taken. */
export function openedSession(sessions: Sessions, defaultSession: Session, input: SessionInput): Session {
  const { id, name, now, from, assumptions = {} } = input
  const faults = input.faults === undefined ? [] : parsedFaults(input.faults, ['faults'])
  const origin = from === undefined || from === DEFAULT ? defaultSession : sessions.find(from)
  if (!origin) throw unknownSession(sessions, from ?? '')
  const session = sessions.open(id)
  session.name = name
  if (from !== undefined) session.restore(origin.snapshot())
  if (now !== undefined) session.clock.set(now)
  session.assume(assumptions)
  session.keepAssumptions()
  try {
    if (faults.length > 0) session.faults.append(faults)
  } catch (error) {
    sessions.delete(session.id ?? '')
    throw error
  }
  // What it starts with counts from the start.
  sessions.hold(session)()
  return session
}

/**
 * The error for an id that no session has.
 * @param suggestsOthers names sessions with a similar id
 */
export function unknownSession(sessions: Sessions, id: string, suggestsOthers = true): SandboxError {
  if (sessions.hasExpired(id)) {
    const fact = 'it was idle for too long, or made room for other sessions'
    return new SandboxError('not_found', `Session ${id} has expired: ${fact}. Open another one.`)
  }
  const shown = id.slice(0, MAX_ID_LENGTH)
  const known = suggestsOthers ? sessions.list().flatMap((session) => session.id ?? []) : []
  const open = 'POST /_sandbox/sessions opens one.'
  const hint =
    known.length > 0 ? didYouMean(shown, known.slice(-20)) : `${open} GET lists those that are open.`
  return new SandboxError('not_found', `There is no session ${shown}. ${hint}`)
}
